import type { Config } from './config.ts';
import type { WriteTx } from './kernel/runtime.ts';
import { readMasterKey } from './kernel/write/secrets.ts';
import { openParts } from './open-parts.ts';
import { outboundGuard } from './parts/outbound/outbound.ts';
import { startService } from './service.ts';
import { systemOrigin } from './system/background-task/follow-jobs.ts';

/** Does one piece of work on the database of a deployment, audited as the service's own, without serving. */
export async function onDatabase<T>(config: Config, work: (tx: WriteTx) => Promise<T>): Promise<T> {
  const service = await startService({
    databaseUrl: config.databaseUrl,
    masterKey: await readMasterKey(config.keyFile),
    parts: openParts(outboundGuard(config.outbound)),
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
