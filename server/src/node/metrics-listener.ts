import { createServer, type Server } from 'node:http';
import type { Metrics } from '../kernel/telemetry/metrics.ts';

/** Serves the metrics of a node on a separate listener, so that a deployment can limit it to the monitoring network. */
export async function listenForMetrics(metrics: Metrics, host: string, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    metrics.page().then(
      (page) => response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(page),
      () => response.writeHead(500).end(),
    );
  });
  server.requestTimeout = 10_000;
  await new Promise<void>((done, fail) => server.once('error', fail).listen(port, host, done));
  return server;
}
