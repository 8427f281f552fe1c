import { execFile } from 'node:child_process';
import { isIPv6 } from 'node:net';
import { remoteFailed, remoteTimeout } from '../../kernel/failure.ts';
import type { OutboundGuard } from '../outbound/outbound.ts';
import { readScan, type ScanFindings } from './read-scan.ts';

export const intensities = ['LIGHT', 'STANDARD', 'FULL'] as const;
export type Intensity = (typeof intensities)[number];

/** Finds the open ports of a host, the services on them and its operating system. */
export interface NetworkScanner {
  scan(
    address: string,
    desired: { intensity: Intensity; osDetection: boolean },
    signal: AbortSignal,
  ): Promise<ScanFindings>;
}

interface ScannerOptions {
  outbound: OutboundGuard;
  program?: string;
  /** Raw sockets are needed for OS detection and UDP scans. */
  isPrivileged?: boolean;
}

const outputBytesMax = 8 * 1024 * 1024;
const secondsMax: Readonly<Record<Intensity, number>> = { LIGHT: 60, STANDARD: 180, FULL: 840 };

const portArguments: Readonly<Record<Intensity, readonly string[]>> = {
  LIGHT: ['--top-ports', '100'],
  STANDARD: ['--top-ports', '1000', '-sV'],
  FULL: ['-p-', '-sV'],
};

/**
 * Scans with nmap. The outbound guard resolves and checks the host, so nmap gets an IP address that it cannot take for
 * an option.
 */
export function nmapScanner({
  outbound,
  program = 'nmap',
  isPrivileged = process.getuid?.() === 0,
}: ScannerOptions): NetworkScanner {
  return {
    async scan(host, { intensity, osDetection }, signal) {
      const { address } = await outbound.resolve(host);
      const common = [
        ...['-oX', '-', '-n', '-T4', '--noninteractive', '--host-timeout', `${secondsMax[intensity]}s`],
        ...(isIPv6(address) ? ['-6'] : []),
      ];
      const run = async (args: readonly string[]) =>
        readScan(await output(program, [...common, ...args, '--', address], secondsMax[intensity] + 30, signal));
      const system = osDetection && isPrivileged && intensity !== 'LIGHT' ? ['-O'] : [];
      const tcpFindings = await run([isPrivileged ? '-sS' : '-sT', ...portArguments[intensity], ...system]);
      if (intensity !== 'FULL' || !isPrivileged) return tcpFindings;
      const { ports } = await run(['-sU', '--top-ports', '100']);
      return { ...tcpFindings, ports: [...tcpFindings.ports, ...ports] };
    },
  };
}

function output(program: string, args: readonly string[], seconds: number, signal: AbortSignal): Promise<string> {
  return new Promise((done, fail) => {
    execFile(
      program,
      args,
      // The environment of the node contains database URLs, which nmap must not get.
      {
        timeout: seconds * 1_000,
        killSignal: 'SIGKILL',
        maxBuffer: outputBytesMax,
        signal,
        env: { PATH: process.env.PATH },
      },
      (error, stdout, stderr) => {
        if (!error) return done(stdout);
        if (error.killed) return fail(remoteTimeout(`The scan took longer than ${seconds} s.`, error));
        fail(remoteFailed(`nmap failed: ${stderr.trim().slice(0, 300) || error.message}`, error));
      },
    );
  });
}
