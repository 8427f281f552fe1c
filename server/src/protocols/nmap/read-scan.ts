import { SaxesParser } from 'saxes';
import { deviceText } from '../../drivers/device-text.ts';
import { remoteFailed } from '../../kernel/failure.ts';

/** An open port and the service on it. */
export interface OpenPort {
  protocol: 'tcp' | 'udp';
  port: number;
  service: string;
  product: string;
  version: string;
}

export interface ScanFindings {
  isUp: boolean;
  ports: OpenPort[];
  /** The operating system that fits best; null if none does. */
  operatingSystem: string | null;
}

const portsMax = 10_000;
const wordMax = 200;

/**
 * Reads the XML output of nmap (`-oX`). Throws if the document is incomplete or contains entities other than those of
 * XML.
 */
export function readScan(text: string): ScanFindings {
  const findings: ScanFindings = { isUp: false, ports: [], operatingSystem: null };
  const path: string[] = [];
  let current: OpenPort | undefined;
  let isOpen = false;
  let isDone = false;
  const parser = new SaxesParser({ xmlns: false, fragment: false });
  parser.on('error', (error) => {
    throw remoteFailed(`nmap did not write valid XML: ${error.message}`, error);
  });
  parser.on('opentag', ({ name, attributes }) => {
    path.push(name);
    const value = (key: string) => deviceText(Buffer.from(String(attributes[key] ?? '')), wordMax);
    switch (path.join('/')) {
      case 'nmaprun/host/status':
        findings.isUp = value('state') === 'up';
        return;
      case 'nmaprun/host/ports/port':
        current = {
          protocol: value('protocol') === 'udp' ? 'udp' : 'tcp',
          port: Number(value('portid')),
          service: '',
          product: '',
          version: '',
        };
        return;
      case 'nmaprun/host/ports/port/state':
        isOpen = value('state') === 'open';
        return;
      case 'nmaprun/host/ports/port/service':
        Object.assign(current!, { service: value('name'), product: value('product'), version: value('version') });
        return;
      case 'nmaprun/host/os/osmatch':
        findings.operatingSystem ??= value('name') || null;
        return;
      case 'nmaprun/runstats/finished':
        isDone = true;
    }
  });
  parser.on('closetag', ({ name }) => {
    if (path.join('/') === 'nmaprun/host/ports/port') {
      if (isOpen && isPort(current!.port) && findings.ports.length < portsMax) findings.ports.push(current!);
      isOpen = false;
    }
    if (path.pop() !== name) throw remoteFailed('nmap did not write valid XML.');
  });
  parser.write(text).close();
  // nmap writes this element only at the end of a complete scan.
  if (!isDone) throw remoteFailed('nmap did not finish.');
  return findings;
}

const isPort = (port: number): boolean => Number.isInteger(port) && port > 0 && port < 65_536;

/** Formats open ports in one line: `22/tcp ssh OpenSSH 9.2, 161/udp snmp`. */
export const portsInWords = (ports: readonly OpenPort[]): string =>
  ports
    .map(({ port, protocol, service, product, version }) =>
      [`${port}/${protocol}`, service, product, version].filter(Boolean).join(' '),
    )
    .join(', ');
