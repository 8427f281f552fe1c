import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { freePort, freeUdpPorts } from './free-ports.ts';

test('free ports differ, and are outside of the ephemeral range', async () => {
  const ports = [...(await freeUdpPorts('127.0.0.1', 50)), await freePort()];
  expect(new Set(ports.slice(0, 50)).size).toBe(50);
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  expect(Math.max(...ports)).toBeLessThan(Number.parseInt(range, 10));
});

test('a free port can be bound at once', async () => {
  const [port] = (await freeUdpPorts('127.0.0.1', 1)) as [number];
  const socket = createSocket('udp4').bind(port, '127.0.0.1');
  await once(socket, 'listening');
  socket.close();
});

test('an address of another machine has no free port', async () => {
  await expect(freeUdpPorts('192.0.2.1', 1)).rejects.toThrow('EADDRNOTAVAIL');
});
