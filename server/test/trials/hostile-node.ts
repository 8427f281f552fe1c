import { createServer } from 'node:http';
import { enableCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';

/** A node as main.ts starts it, with a side door that collects garbage and says what is left. Needs `--expose-gc`. */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');

const { url, service } = await serve(await readConfig());
const connections = promisify(service.app.server.getConnections.bind(service.app.server));
const door = createServer(async (_request, response) => {
  globalThis.gc!();
  // Of clients alone: how many sessions the pool has open just now says nothing, and they are watched apart.
  const sockets = await connections();
  const { rss, heapUsed } = process.memoryUsage();
  // A kept connection could end just when it is used again.
  response.setHeader('connection', 'close').end(JSON.stringify({ rss, heapUsed, sockets }));
});
door.listen(0, '127.0.0.1', () => {
  console.log(`Side door at ${(door.address() as AddressInfo).port}.`);
  console.log(`Portreeve serves ${url}.`);
});
