import { enableCompileCache } from 'node:module';

enableCompileCache();

/** Starts a node once on a database of its own; prints one line after the response to an HTTP call. */

const { collection, deletes, ranking } = await import('@portreeve/server/kernel/declare/declaration.ts');
const { flag, identity, integer, modified, rank, text, version } = await import(
  '@portreeve/server/kernel/declare/field.ts'
);
const { resource } = await import('@portreeve/server/kernel/operations/resource.ts');
const { catalogue } = await import('@portreeve/server/catalogue.ts');
const { migratedDatabase, testMasterKey } = await import('@portreeve/server/test/world/databases.ts');
const { describeOperations } = await import('@portreeve/server/node/describe-operations.ts');
const { startService } = await import('@portreeve/server/node/start-service.ts');
const { realProtocols } = await import('@portreeve/server/test/world/open-world.ts');

const isFull = process.argv[2] === '1030';

/** Returns collections with every pattern, until the service has as many operations as the contract. */
function syntheticGroups(operations: number) {
  const patterns = [
    'list',
    'fetch',
    'count',
    'countAll',
    'usage',
    'create',
    'update',
    ...deletes,
    'enable',
    'disable',
    ...ranking,
    'monitor',
  ] as const;
  return Array.from({ length: Math.ceil(operations / (patterns.length + 2)) }, (_, n) =>
    resource<never>(
      `Synthetic ${n}`,
      collection({
        name: `synthetic-${n}`,
        title: `Synthetic ${n}`,
        path: `/synthetic/group-${n}`,
        permission: 'debug',
        doc: 'Stands for a group that is not served yet.',
        patterns,
        fields: {
          id: identity(),
          version,
          ...modified,
          name: text({ min: 1, max: 60, unique: true }),
          rank,
          enabled: flag({ default: true }),
          ...Object.fromEntries(
            Array.from({ length: 15 }, (_unused, field) => [`size${field}`, integer({ min: 0, max: 100, default: 0 })]),
          ),
        },
      }),
    ),
  );
}

const database = await migratedDatabase();
const service = await startService({
  databaseUrl: database.serviceUrl,
  masterKey: await testMasterKey(),
  parts: realProtocols(),
  jobs: 'work',
  limits: { requestsPerSecond: 50, burst: 100, testsPerMinute: 10 },
  logger: false,
  overlay: { groups: isFull ? (syntheticGroups(1_030 - describeOperations(catalogue).length) as never) : [] },
});
const url = await service.app.listen({ host: '127.0.0.1', port: 0 });
await (await fetch(`${url}/api/v2/device/container`)).text();
console.log(
  JSON.stringify({
    operations: service.operations.length,
    groups: catalogue.length,
    megabytes: Math.round(process.memoryUsage.rss() / 1_048_576),
  }),
);

process.on('SIGTERM', () => void service.close().then(() => database.drop()));
