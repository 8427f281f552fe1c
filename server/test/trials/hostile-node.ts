import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/**
 * Starts a node like main.ts, with an additional port that collects garbage and returns what remains in memory. Needs
 * `--expose-gc`.
 */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');

const { url, service } = await serve(await readConfig());
const connections = promisify(service.app.server.getConnections.bind(service.app.server));
const door = createServer(async (_request, response) => {
  globalThis.gc!();
  // Sockets of clients only: database sessions open and close at any time, and are watched separately.
  const sockets = await connections();
  const { rss, heapUsed } = process.memoryUsage();
  // A kept connection could end just when it is used again.
  response.setHeader('connection', 'close').end(JSON.stringify({ rss, heapUsed, sockets }));
});
door.listen(0, '127.0.0.1', () => {
  console.log(`Inspection port ${(door.address() as AddressInfo).port}.`);
  console.log(`Portreeve serves ${url}.`);
});
