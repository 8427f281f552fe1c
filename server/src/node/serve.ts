import { setTimeout as sleep } from 'node:timers/promises';
import { backlog } from '../kernel/http/connections.ts';
import { gatheredLines } from '../kernel/http/log-lines.ts';
import { readMasterKey } from '../kernel/write/secrets.ts';
import { outboundGuard } from '../protocols/outbound/outbound.ts';
import { probeGuard } from '../protocols/outbound/probe-guard.ts';
import { BackgroundFaults } from './background-faults.ts';
import { type Config, clusterPlace } from './config.ts';
import { listenForMetrics } from './metrics-listener.ts';
import { refuseOtherSchema } from './migrate-database.ts';
import { openProtocols } from './open-protocols.ts';
import { type Service, type ServiceOptions, startService } from './start-service.ts';
import { cannotListen, refuseTakenPorts } from './taken-ports.ts';

/** Longer than the time limit of any statement: work that has not ended by then hangs. */
const closeSecondsMax = 40;
const endMs = 2_000;

/** Starts a node of a deployment and shuts it down cleanly on a signal. */
export async function serve(
  config: Config,
  overlay: ServiceOptions['overlay'] = {},
): Promise<{ url: string; service: Service }> {
  try {
    return await start(config, overlay);
  } catch (error) {
    endSoon();
    throw error;
  }
}

async function start(
  config: Config,
  overlay: ServiceOptions['overlay'] = {},
): Promise<{ url: string; service: Service }> {
  await refuseOtherSchema(config.databaseUrl);
  await refuseTakenPorts([
    { what: 'requests', transport: 'tcp', host: config.host, port: config.port },
    { what: 'metrics', transport: 'tcp', host: config.host, port: config.metricsPort },
    { what: 'traps', transport: 'udp', host: config.trapHost, port: config.trapPort },
  ]);
  let started: Service | undefined;
  const faults = new BackgroundFaults(() => started?.app.log);
  const service = await startService({
    databaseUrl: config.databaseUrl,
    masterKey: () => readMasterKey(config.keyFile),
    parts: openProtocols(
      probeGuard({ ...config.outbound, networks: config.probeNetworks }),
      outboundGuard(config.outbound),
    ),
    jobs: 'work',
    ...(config.trapPort > 0 && { traps: { host: config.trapHost, port: config.trapPort } }),
    selfMonitorMs: 30_000,
    archiveFolder: config.archiveFolder,
    consoleFolder: config.consoleFolder,
    limits: config.limits,
    connections: config.connections,
    logger: { level: config.logLevel, stream: gatheredLines(process.stdout) },
    tracesUrl: config.tracesUrl || undefined,
    onError: (error) => faults.report(error),
    trustProxy: config.trustProxy,
    publicOrigin: config.publicUrl,
    https: config.https,
    node: config.node,
    ...(config.radiusFolder !== '' && {
      radius: {
        folder: config.radiusFolder,
        host: config.radiusHost,
        statusPort: config.radiusStatusPort,
        decisionPort: config.decisionPort,
        cluster: clusterPlace(config.clusterAddress),
      },
    }),
    overlay,
  });
  started = service;
  try {
    const metrics =
      config.metricsPort > 0
        ? await listenForMetrics(service.metrics, config.host, config.metricsPort).catch(
            cannotListen({ what: 'metrics', host: config.host, port: config.metricsPort }),
          )
        : undefined;
    const url = await service.app
      .listen({ host: config.host, port: config.port, backlog })
      .catch(cannotListen({ what: 'requests', host: config.host, port: config.port }));
    stopOnSignal(service, config.drainSeconds, () => metrics?.close());
    return { url, service };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Ends the process after a failed start, even if something that was opened keeps it alive. */
const endSoon = (): void => {
  setTimeout(() => process.exit(1), endMs).unref();
};

/**
 * Stops the node on a signal. On SIGTERM it first reports that it is not ready and serves on, so that load balancers remove it; then it
 * accepts no more connections, completes the open requests, and ends. Ctrl-C skips the first phase, and a second Ctrl-C ends at once.
 */
function stopOnSignal(service: Service, drainSeconds: number, closeMetrics: () => void): void {
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
      service.app.log.error({ err: error }, 'the node did not shut down cleanly');
      process.exit(1);
    }
  };
  // A supervisor and its wrapper may both send SIGTERM; the second one has no effect.
  process.on('SIGTERM', () => void stop(drainSeconds)).once('SIGINT', () => void stop(0));
}
