import type { Config } from './config.ts';
import { readMasterKey } from './kernel/write/secrets.ts';
import { listenForMetrics } from './metrics-listener.ts';
import { refuseOldSchema } from './migrate-database.ts';
import { outboundGuard } from './parts/outbound/outbound.ts';
import { radiusClient } from './parts/radius/radius.ts';
import { type Service, startService } from './service.ts';

/** Starts a node of a deployment and ends it in order when it is told to. */
export async function serve(config: Config): Promise<{ url: string; service: Service }> {
  const [masterKey] = await Promise.all([readMasterKey(config.keyFile), refuseOldSchema(config.databaseUrl)]);
  const outbound = outboundGuard(config.outbound);
  const service = await startService({
    databaseUrl: config.databaseUrl,
    masterKey,
    parts: { radius: radiusClient({ outbound }) },
    jobs: 'work',
    limits: config.limits,
    logger: { level: config.logLevel },
    tracesUrl: config.tracesUrl || undefined,
    onError: (error) => service?.app.log.error({ err: error }, 'fault beside requests'),
    trustProxy: config.trustProxy,
  });
  const url = await service.app.listen({ host: config.host, port: config.port });
  const metrics =
    config.metricsPort > 0 ? await listenForMetrics(service.metrics, config.host, config.metricsPort) : undefined;
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    metrics?.close();
    void service.close().then(() => process.exit(0));
  };
  process.once('SIGTERM', stop).once('SIGINT', stop);
  return { url, service };
}
