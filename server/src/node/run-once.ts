import { systemOrigin } from '../kernel/declare/caller.ts';
import type { WriteTx } from '../kernel/write/runtime.ts';
import { readMasterKey } from '../kernel/write/secrets.ts';
import { outboundGuard } from '../protocols/outbound/outbound.ts';
import { probeGuard } from '../protocols/outbound/probe-guard.ts';
import type { Config } from './config.ts';
import { openProtocols } from './open-protocols.ts';
import { startService } from './start-service.ts';

/** Runs a function in a transaction on the database of a deployment, without serving. Its changes are audited as made by the command line. */
export async function runOnce<T>(config: Config, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const service = await startService({
    databaseUrl: config.databaseUrl,
    masterKey: await readMasterKey(config.keyFile),
    parts: openProtocols(
      probeGuard({ ...config.outbound, networks: config.probeNetworks }),
      outboundGuard(config.outbound),
    ),
    jobs: 'none',
    limits: config.limits,
    logger: false,
  });
  try {
    return await service.runtime.transact(systemOrigin('command line'), work);
  } finally {
    await service.close();
  }
}
