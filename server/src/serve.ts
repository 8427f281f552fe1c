import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from './config.ts';
import { backlog } from './kernel/http/connections.ts';
import { gatheredLines } from './kernel/http/log-lines.ts';
import { readMasterKey } from './kernel/write/secrets.ts';
import { listenForMetrics } from './metrics-listener.ts';
import { refuseOldSchema } from './migrate-database.ts';
import { openParts } from './open-parts.ts';
import { outboundGuard } from './parts/outbound/outbound.ts';
import { type Service, type ServiceOptions, startService } from './service.ts';

/** Longer than any statement may take: what has not ended by then never will. */
const closeSecondsMax = 40;

/** Starts a node of a deployment and ends it in order when it is told to. */
export async function serve(
  config: Config,
  overlay: ServiceOptions['overlay'] = {},
): Promise<{ url: string; service: Service }> {
  await refuseOldSchema(config.databaseUrl);
  const service = await startService({
    databaseUrl: config.databaseUrl,
    masterKey: () => readMasterKey(config.keyFile),
    parts: openParts(outboundGuard(config.outbound)),
    jobs: 'work',
    ...(config.trapPort > 0 && { traps: { host: config.trapHost, port: config.trapPort } }),
    selfMonitorMs: 30_000,
    archiveFolder: config.archiveFolder,
    limits: config.limits,
    connections: config.connections,
    logger: { level: config.logLevel, stream: gatheredLines(process.stdout) },
    tracesUrl: config.tracesUrl || undefined,
    onError: (error) => service?.app.log.error({ err: error }, 'fault beside requests'),
    trustProxy: config.trustProxy,
    overlay,
  });
  const url = await service.app.listen({ host: config.host, port: config.port, backlog });
  const metrics =
    config.metricsPort > 0 ? await listenForMetrics(service.metrics, config.host, config.metricsPort) : undefined;
  stopWhenTold(service, config.drainSeconds, () => metrics?.close());
  return { url, service };
}

/**
 * On SIGTERM a node first says that it is not ready and serves on, so that proxies send nobody any more; then it takes no connection,
 * finishes what it has begun, and ends. Ctrl-C waits for nobody new, and a second one for nothing.
 */
function stopWhenTold(service: Service, drainSeconds: number, closeMetrics: () => void): void {
  let isStopping = false;
  const stop = async (serveOnSeconds: number): Promise<void> => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), (serveOnSeconds + closeSecondsMax) * 1_000).unref();
    try {
      service.leave();
      await sleep(serveOnSeconds * 1_000);
      closeMetrics();
      await service.close();
      process.exit(0);
    } catch (error) {
      service.app.log.error({ err: error }, 'the node did not stop in order');
      process.exit(1);
    }
  };
  // A supervisor and its wrapper may both send SIGTERM; the second changes nothing.
  process.on('SIGTERM', () => void stop(drainSeconds)).once('SIGINT', () => void stop(0));
}
