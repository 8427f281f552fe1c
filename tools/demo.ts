import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import { readConfig } from '@portreeve/server/node/config.ts';
import { dropDatabase, ensureDatabase, migrateDatabase } from '@portreeve/server/node/migrate-database.ts';
import { runOnce } from '@portreeve/server/node/run-once.ts';
import { EngineProcess } from '@portreeve/server/protocols/radius-engine/engine-process.ts';
import {
  ensurePostgres,
  findPostgres,
  ownerRole,
  postgresFolder,
  serverUser,
  serviceRole,
  stopPostgres,
} from '@portreeve/testbed/postgres.ts';
import { nodeCommand } from '@portreeve/testbed/process.ts';
import { type Switches, startSwitches } from '@portreeve/testbed/snmp-switches.ts';
import { readCommand, text } from './command.ts';
import { polledSwitches } from './demo/campus.ts';
import { connectSimulated, type Enforcement, fillByApi, fillNetwork, fillPolled } from './demo/fill.ts';
import { type DemoLogin, fillRadius, radiusEnvironment } from './demo/radius.ts';

/** Everything with sample data on one machine: a database, a node, a campus. Stays in the foreground and ends what it started. */

const { values } = readCommand({
  usage: 'npm run demo',
  doc: 'Starts a database, a node and a simulated campus with sample data. Stays in the foreground; Ctrl-C removes everything again.',
  options: {
    port: text('8080', 'port of the API on 127.0.0.1'),
    'token-file': text(undefined, 'a file that gets the token'),
  },
});
const database = 'portreeve_demo';
const folder = postgresFolder(process.cwd());
const wasRunning = (await findPostgres(folder)) !== undefined;
const postgres = await ensurePostgres(folder);
// Started as root, nothing but this launcher stays root: the database has its user, the node gets the same.
const user = await serverUser();
const secrets = await mkdtemp(join(tmpdir(), 'portreeve-demo-'));
const keyFile = join(secrets, 'master.key');
await writeFile(keyFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });

// The simulated switches are on loopback. Nothing else is probed: the other addresses of the campus are nobody's here.
const configFile = join(secrets, 'portreeve.json');
await writeFile(configFile, JSON.stringify({ probeNetworks: ['127.0.0.0/8', '::1/128'] }));

const environment = {
  PORTREEVE_CONFIG: configFile,
  PORTREEVE_DATABASE_URL: postgres.url(serviceRole, database),
  PORTREEVE_OWNER_URL: postgres.url(ownerRole, database),
  PORTREEVE_KEY_FILE: keyFile,
  PORTREEVE_ARCHIVE_FOLDER: join(secrets, 'archives'),
  PORTREEVE_PORT: values.port,
  ...(await radiusEnvironment(join(secrets, 'radius'))),
};
const hasRadius = 'PORTREEVE_RADIUS_FOLDER' in environment;
const started = performance.now();
const step = (what: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${what}`);

let ending: Promise<void> | undefined;
/** From here on the database is this demonstration's, and goes with it. */
let isOurs = false;
let node: ReturnType<typeof spawn> | undefined;
let simulated: Switches | undefined;
const end = (code: number): Promise<void> => {
  ending ??= (async () => {
    // What still runs loses its database under it; that it says so is expected.
    process.on('uncaughtException', () => undefined);
    await endNode();
    // It outlives its node.
    await new EngineProcess(join(secrets, 'radius')).stop();
    await simulated?.stop();
    if (isOurs) await dropDatabase(environment.PORTREEVE_OWNER_URL, true).catch(() => undefined);
    if (!wasRunning) await stopPostgres(folder);
    await rm(secrets, { recursive: true, force: true });
    process.exit(code);
  })();
  return ending;
};
/** Waits for its end: on its way out the node still writes into the folder that goes next. */
const endNode = async (): Promise<void> => {
  if (!node || node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  // Nobody is to be sent elsewhere first, as SIGTERM would have it.
  node.kill('SIGINT');
  const patience = setTimeout(() => node?.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(patience);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0));

try {
  await dropDatabase(environment.PORTREEVE_OWNER_URL, false).catch((cause: unknown) => {
    throw new Error('Another demonstration runs in this checkout; stop it first.', { cause });
  });
  isOurs = true;
  await ensureDatabase(environment.PORTREEVE_OWNER_URL);
  await migrateDatabase(environment.PORTREEVE_OWNER_URL);
  step('the database is there');
  const config = await readConfig({ ...process.env, ...environment });
  const token = await runOnce(config, async (tx) => {
    const id = await createAdministrator(tx, {
      userID: 'demo',
      password: 'portreeve-demo',
      profile: 'System Administrator',
    });
    return String((await issueToken(tx, id, { name: 'demonstration', expiresInDays: 1 })).token);
  });
  await runOnce(config, fillNetwork);
  step('40 switches with 1,920 ports are modelled');
  if (user) await Promise.all([secrets, keyFile, configFile].map((path) => chown(path, user.uid, user.gid)));
  const url = await startNode();
  simulated = await startSwitches(polledSwitches);
  await connectSimulated(simulated);
  const ports = await fillPolled(url, token, simulated.port);
  step(`${polledSwitches.length} simulated switches are polled, with ${ports} ports`);
  const enforcement = await fillByApi(url, token);
  step('sample records are in every collection');
  const login = hasRadius ? await fillRadius(url, token) : undefined;
  step(login ? 'a RADIUS engine answers one of the switches' : 'FreeRADIUS is not installed: nobody answers RADIUS');
  if (values['token-file']) await writeFile(values['token-file'], `${token}\n`, { mode: 0o600 });
  greet(url, token, enforcement, login);
} catch (error) {
  // While everything is being ended, that something ended is no news.
  if (!ending) console.error(error);
  await end(1);
}

/** The node as its own process, without root. */
async function startNode(): Promise<string> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  const { program, args, ...owner } = await nodeCommand(main, user);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...environment,
      PORTREEVE_LOG_LEVEL: 'warn',
      NODE_COMPILE_CACHE: join(secrets, 'cache'),
      HOME: secrets,
    },
    ...owner,
  });
  node = child;
  return new Promise((done, fail) => {
    child.on('exit', (code) => {
      fail(new Error(`the node ended with code ${code}`));
      void end(code ?? 1);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /Portreeve serves (\S+)/.exec(String(chunk));
      if (match) done(match[1]!);
    });
  });
}

function greet(
  url: string,
  token: string,
  { libraryID, roleAccessID }: Enforcement,
  login: DemoLogin | undefined,
): void {
  console.log(`
Portreeve serves ${url}  (reference: ${url}/docs; administrator demo, password portreeve-demo)

  export PORTREEVE_URL=${url}
  export PORTREEVE_TOKEN=${token}

Why is this camera not in the network for cameras?

  npm run --silent portreeve -- host explain lobby-camera

Whom would it move if roles decided in the library?

  npm run --silent portreeve -- group add-to-parents --set groupID=${libraryID} --set parentID.0=${roleAccessID} --set replace=false --dry-run

${login ? radiusLines(login) : ''}The API itself, in JSON and XML:

  curl -H "Authorization: Bearer $PORTREEVE_TOKEN" "$PORTREEVE_URL/api/v2/device/port?filter=status==1;currentVlan==999&count=2"
  curl -H "Authorization: Bearer $PORTREEVE_TOKEN" -H 'Accept: application/xml' "$PORTREEVE_URL/api/v2/device/container?filter=parent==Hospital*"
  curl -H "Authorization: Bearer $PORTREEVE_TOKEN" -H 'Content-Type: application/json' "$PORTREEVE_URL/api/v2/device/container?dryRun=true" -d '{"name":"Library 5","parent":"Library"}'

Stop it with Ctrl-C; nothing of it stays.`);
}

function radiusLines({ authPort, address, secret, port, mac }: DemoLogin): string {
  const attributes = [
    `User-Name=${mac}`,
    `User-Password=${mac}`,
    'Service-Type=Call-Check',
    `Calling-Station-Id=${mac}`,
    `NAS-Port-Id=${port}`,
    'Message-Authenticator=0x00',
    `Packet-Src-IP-Address=${address}`,
  ];
  return `A switch asks whether somebody may come in; then, why it got that answer:

  echo ${attributes.join(',')} | radclient -x 127.0.0.1:${authPort} auth ${secret}
  npm run --silent portreeve -- radius tail --lines 1
  npm run --silent portreeve -- host explain ${mac}

`;
}
