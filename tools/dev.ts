import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsole } from '@portreeve/console/build/build-console.ts';
import { type Config, readConfig } from '@portreeve/server/node/config.ts';
import { ensureDatabase, migrateDatabase } from '@portreeve/server/node/migrate-database.ts';
import { runOnce } from '@portreeve/server/node/run-once.ts';
import { ensureKeyFile, ensurePostgres, ownerRole, postgresFolder, serviceRole } from '@portreeve/testbed/postgres.ts';
import { readCommand } from './command.ts';
import { addressesOf, developmentToken, refuseTakenPort } from './development.ts';
import { ensureProducts } from './generate/products.ts';
import { printLog } from './readable-log.ts';

/**
 * Starts a database and the service with reload, and issues a token: all that a developer needs to call the API of this
 * checkout.
 */

readCommand({
  usage: 'npm run dev',
  doc: 'Starts a database, the service with reload on http://127.0.0.1:8080 (PORTREEVE_PORT changes the port, PORTREEVE_HTTPS=on makes it HTTPS), and prints a token.',
});
const port = process.env.PORTREEVE_PORT ?? '8080';
try {
  await refuseTakenPort('127.0.0.1', Number(port));
} catch (error) {
  console.error((error as Error).message);
  process.exit(1);
}
await ensureProducts();
await ensureConsole();
const folder = postgresFolder(process.cwd());
const postgres = await ensurePostgres(folder);
const database = 'portreeve_dev';
const environment = {
  PORTREEVE_DATABASE_URL: postgres.url(serviceRole, database),
  PORTREEVE_OWNER_URL: postgres.url(ownerRole, database),
  PORTREEVE_KEY_FILE: await ensureKeyFile(folder),
  PORTREEVE_ARCHIVE_FOLDER: join(folder, 'archives'),
  PORTREEVE_PORT: port,
  // A node under development probes only loopback unless other networks are named.
  PORTREEVE_PROBE_NETWORKS: process.env.PORTREEVE_PROBE_NETWORKS ?? '127.0.0.0/8,::1/128',
};

await ensureDatabase(environment.PORTREEVE_OWNER_URL);
await migrateDatabase(environment.PORTREEVE_OWNER_URL);
await mkdir(environment.PORTREEVE_ARCHIVE_FOLDER, { recursive: true, mode: 0o700 });
const config = await readConfig({ ...process.env, ...environment });
const token = await runOnce(config, (tx) => developmentToken(tx, process.pid));
// For commands of the node, such as `portreeve admin create`.
const configFile = join(folder, 'portreeve-dev.json');
await writeFile(
  configFile,
  JSON.stringify({
    databaseUrl: environment.PORTREEVE_DATABASE_URL,
    ownerUrl: environment.PORTREEVE_OWNER_URL,
    keyFile: environment.PORTREEVE_KEY_FILE,
    archiveFolder: environment.PORTREEVE_ARCHIVE_FOLDER,
    port: Number(port),
    https: config.https,
  } satisfies Partial<Config>),
);
const certificateFile = join(folder, 'portreeve-dev.pem');
const { url, curl, trust } = addressesOf({ https: config.https, port: Number(port), certificateFile });
console.log(`
  export PORTREEVE_URL=${url}
  export PORTREEVE_TOKEN=${token}
  export PORTREEVE_CONFIG=${configFile}
  export PATH="${fileURLToPath(new URL('../cli', import.meta.url))}:$PATH"
${trust}
  Console: ${url}/console/ (developer, portreeve-development)

  ${curl} -H "Authorization: Bearer $PORTREEVE_TOKEN" $PORTREEVE_URL/api/v2/device/container
`);

const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
const service = spawn(
  process.execPath,
  ['--watch-path', fileURLToPath(new URL('../server/src', import.meta.url)), main],
  {
    stdio: ['inherit', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  },
);
void printLog(service.stdout);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => service.kill(signal));
service.on('exit', (code) => process.exit(code ?? 0));
