import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hangs, type SshDevice, startSshDevice } from '@portreeve/testbed/ssh-device.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { outboundGuard } from '../outbound/outbound.ts';
import { type SshAccess, sshClient, sshFaultOf } from './ssh.ts';

const outbound = outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] });
const ssh = sshClient({ outbound });
const secret = `it's "a" $(touch x) \\ password`;

let device: SshDevice;
let otherDevice: SshDevice;
beforeAll(async () => {
  const commands = { 'cat /proc/uptime': '12345.67 1\n', sleep: hangs };
  [device, otherDevice] = await Promise.all([
    startSshDevice({ userName: 'op', password: secret, commands }),
    startSshDevice({ userName: 'op', password: secret, method: 'keyboard-interactive', commands }),
  ]);
});
afterAll(() => Promise.all([device.stop(), otherDevice.stop()]));

const access = (changes: Partial<SshAccess> = {}): SshAccess => ({
  port: device.port,
  userName: 'op',
  password: secret,
  hostKey: device.hostKey,
  timeoutMs: 15_000,
  ...changes,
});
const uptime = (changes?: Partial<SshAccess>) => ssh.run(device.host, access(changes), ['cat', '/proc/uptime']);

async function faultOf(run: Promise<unknown>) {
  const error = await run.catch((reason: unknown) => reason);
  return { kind: sshFaultOf(error)?.kind, message: (error as Error).message };
}

describe('ssh', () => {
  test('runs a command with a password of any characters, for every prompt of the device', async () => {
    expect(await uptime()).toBe('12345.67 1\n');
    expect(await uptime({ port: otherDevice.port, hostKey: otherDevice.hostKey })).toBe('12345.67 1\n');
  });

  test('reports the first host key, and rejects another one later', async () => {
    const keys: string[] = [];
    await uptime({ hostKey: null, onFirstKey: (key) => keys.push(key) });
    expect(keys).toEqual([device.hostKey]);
    const changed = await faultOf(uptime({ hostKey: otherDevice.hostKey }));
    expect(changed).toEqual({
      kind: 'hostKeyChanged',
      message: `The device 127.0.0.1 (SSH port ${device.port}) has a host key that differs from the pinned one.`,
    });
  });

  test('reports a wrong password without its text', async () => {
    const fault = await faultOf(uptime({ password: 'not-the-password' }));
    expect(fault.kind).toBe('unauthenticated');
    expect(fault.message).not.toContain('not-the-password');
  });

  test('reports how a command failed', async () => {
    const fault = await faultOf(ssh.run(device.host, access(), ['reboot', 'now']));
    expect(fault).toEqual({
      kind: 'failed',
      message: `The device 127.0.0.1 (SSH port ${device.port}) ended the command with code 127: sh: not found: reboot now.`,
    });
  });

  test('ends what does not end, and leaves nothing behind', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'portreeve-ssh-test-'));
    const ownClient = sshClient({ outbound, directory });
    const fault = await faultOf(ownClient.run(device.host, access({ timeoutMs: 1_500 }), ['sleep']));
    expect(fault.kind).toBe('silent');
    expect(await readdir(directory)).toEqual([]);
    await rm(directory, { recursive: true });
  });

  test('reports that no server listens', async () => {
    const fault = await faultOf(uptime({ port: 1 }));
    expect(fault.kind).toBe('failed');
    expect(fault.message).toContain('Connection refused');
  });

  test('sends no word that a shell at the other end could take for more', async () => {
    await expect(ssh.run(device.host, access(), ['cat', '/etc/passwd;reboot'])).rejects.toThrow(
      'contains an unsafe argument',
    );
    await expect(ssh.run(device.host, access(), ['$(reboot)'])).rejects.toThrow('contains an unsafe argument');
    expect(device.ran().join()).not.toContain(';');
  });

  test('checks the outbound guard first', async () => {
    const guarded = sshClient({ outbound: outboundGuard({ allow: [], refuse: [] }) });
    await expect(guarded.run(device.host, access(), ['true'])).rejects.toThrow('is refused: it is a loopback address');
  });
});
