import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureConsole } from '@portreeve/console/build/build-console.ts';
import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import { type Config, readConfig } from '@portreeve/server/node/config.ts';
import { dropDatabase, ensureDatabase, migrateDatabase } from '@portreeve/server/node/migrate-database.ts';
import { runOnce } from '@portreeve/server/node/run-once.ts';
import { EngineProcess } from '@portreeve/server/protocols/radius-engine/engine-process.ts';
import { freeUdpPorts } from '@portreeve/testbed/free-ports.ts';
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
import { flag, number, readCommand, refuse, text } from './command.ts';
import { newSwitch, polledSwitches } from './demo/campus.ts';
import { connectSimulated, fillByApi, fillNetwork, fillPolled, sendTraps, visit } from './demo/fill.ts';
import { fillRadius, radiusSettings } from './demo/radius.ts';
import { ensureProducts } from './generate/products.ts';

/**
 * Starts a database, a node and a campus with sample data on one machine. Stays in the foreground and ends what it
 * started.
 */

const usage = 'npm run demo';
const { values } = readCommand({
  usage,
  doc: 'Starts a database, a node and a simulated campus with sample data. Stays in the foreground; Ctrl-C removes everything again.',
  options: {
    port: number(8080, 'port of the API on 127.0.0.1'),
    'token-file': text(undefined, 'a file that gets the token'),
    shell: flag('opens a shell with the address, the token and the command line; leaving it ends the demonstration'),
  },
});
if (!Number.isInteger(values.port) || values.port > 65_535) refuse({ usage }, `--port ${values.port} is not a port.`);

/** An error that the user can correct; others are bugs, printed with their stack. */
class Obstacle extends Error {}

const commandLine = fileURLToPath(new URL('../cli', import.meta.url));
const database = 'portreeve_demo';
const folder = postgresFolder(process.cwd());
const wasRunning = (await findPostgres(folder)) !== undefined;
const postgres = await ensurePostgres(folder);
await ensureProducts();
await ensureConsole();
// If started as root, only this launcher stays root: the database has its user, and the node gets the same.
const user = await serverUser();
const secrets = await mkdtemp(join(tmpdir(), 'portreeve-demo-'));
const archiveFolder = join(secrets, 'archives');
await mkdir(archiveFolder, { mode: 0o700 });
const keyFile = join(secrets, 'master.key');
await writeFile(keyFile, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600 });
const [trapPort] = await freeUdpPorts('127.0.0.1', 1);
const ownerUrl = postgres.url(ownerRole, database);
const settings: Partial<Config> = {
  node: 'demo',
  databaseUrl: postgres.url(serviceRole, database),
  ownerUrl,
  keyFile,
  archiveFolder,
  port: values.port,
  trapHost: '127.0.0.1',
  trapPort: trapPort!,
  // The simulated switches are on loopback. Nothing else is probed: the other addresses of the campus do not exist
  // here.
  probeNetworks: ['127.0.0.0/8', '::1/128'],
  logLevel: 'warn',
  ...(await radiusSettings(join(secrets, 'radius'))),
};
const configFile = join(secrets, 'portreeve.json');
await writeFile(configFile, JSON.stringify(settings, null, 2));
/** Only the settings of the demonstration, without those of the shell for another node. */
const environment = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('PORTREEVE_'))),
  PORTREEVE_CONFIG: configFile,
};
const started = performance.now();
const step = (what: string) =>
  console.log(`${((performance.now() - started) / 1_000).toFixed(1).padStart(5)} s  ${what}`);

let ending: Promise<void> | undefined;
/** True from here on: the database belongs to this demonstration, and is dropped with it. */
let isOurs = false;
let node: ChildProcess | undefined;
let shell: ChildProcess | undefined;
let simulated: Switches | undefined;
const visiting = new AbortController();
const end = (code: number): Promise<void> => {
  ending ??= (async () => {
    // Processes that still run lose their database; their errors are expected.
    process.on('uncaughtException', () => undefined);
    visiting.abort();
    shell?.kill('SIGHUP');
    await endNode();
    // The engine outlives its node.
    await new EngineProcess(join(secrets, 'radius')).stop();
    await simulated?.stop();
    if (isOurs) await dropDatabase(ownerUrl, true).catch(() => undefined);
    if (!wasRunning) await stopPostgres(folder);
    await rm(secrets, { recursive: true, force: true });
    process.exit(code);
  })();
  return ending;
};
/** Waits for its end: while it stops, the node still writes into the folder that is deleted next. */
const endNode = async (): Promise<void> => {
  if (!node || node.exitCode !== null || node.signalCode !== null) return;
  const ended = once(node, 'exit');
  // SIGTERM would first let clients move to other nodes, and there are none.
  node.kill('SIGINT');
  const patience = setTimeout(() => node?.kill('SIGKILL'), 5_000);
  await ended;
  clearTimeout(patience);
};
process.on('SIGTERM', () => void end(0));
process.on('SIGINT', () => {
  // In a shell, Ctrl-C is for the program that runs there.
  if (!shell) void end(0);
});

try {
  await takeDatabase();
  await refuseBusyPort();
  await ensureDatabase(ownerUrl);
  await migrateDatabase(ownerUrl);
  step('the database is there');
  const config = await readConfig(environment);
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
  if (user)
    await Promise.all([secrets, archiveFolder, keyFile, configFile].map((path) => chown(path, user.uid, user.gid)));
  const url = await startNode();
  simulated = await startSwitches([...polledSwitches, newSwitch]);
  await connectSimulated(simulated);
  await sendTraps(simulated, trapPort!);
  const ports = await fillPolled(url, token, simulated.port);
  step(`${polledSwitches.length} simulated switches are polled, with ${ports} ports`);
  await fillByApi(url, token, simulated);
  step('sample records are in every collection');
  const hasRadius = config.radiusFolder !== '';
  if (hasRadius) await fillRadius(url, token);
  step(
    hasRadius ? 'a RADIUS engine answers one of the switches' : 'FreeRADIUS is not installed: nobody answers RADIUS',
  );
  void visit(simulated, visiting.signal).catch(() => undefined);
  if (values['token-file']) await writeFile(values['token-file'], `${token}\n`, { mode: 0o600 });
  greet(url, token);
  if (values.shell) await runShell(url, token);
} catch (error) {
  // Errors during the shutdown are consequences of it.
  if (!ending) console.error(error instanceof Obstacle ? error.message : error);
  await end(1);
}

/** Drops the database of an earlier demonstration, unless that still runs. */
async function takeDatabase(): Promise<void> {
  try {
    await dropDatabase(ownerUrl, false);
  } catch (error) {
    // object_in_use
    if ((error as { code?: string }).code !== '55006') throw error;
    throw new Obstacle('Another demonstration runs in this checkout; stop it first.');
  }
  isOurs = true;
}

async function refuseBusyPort(): Promise<void> {
  const server = createServer();
  server.listen(values.port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE')
      throw new Obstacle(`Port ${values.port} of 127.0.0.1 is in use; choose another one: ${usage} -- --port 8081.`);
    if (code === 'EACCES')
      throw new Obstacle(`Port ${values.port} needs root; choose another one: ${usage} -- --port 8081.`);
    throw error;
  }
  server.close();
  await once(server, 'close');
}

/** Starts the node as a separate process, without root. */
async function startNode(): Promise<string> {
  const main = fileURLToPath(new URL('../server/src/main.ts', import.meta.url));
  const { program, args, ...owner } = await nodeCommand(main, user);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...environment, NODE_COMPILE_CACHE: join(secrets, 'cache'), HOME: secrets },
    ...owner,
  });
  node = child;
  return new Promise((done, fail) => {
    child.on('exit', (code) => {
      fail(new Obstacle(`The node ended with code ${code}; its last lines say why.`));
      void end(code ?? 1);
    });
    child.stdout.on('data', (chunk: Buffer) => {
      const match = /Portreeve serves (\S+)/.exec(String(chunk));
      if (match) done(match[1]!);
    });
  });
}

/** Starts the user's own shell, with the command line in its path and the settings of the service. */
async function runShell(url: string, token: string): Promise<void> {
  const program = process.env.SHELL || '/bin/sh';
  shell = spawn(program, {
    stdio: 'inherit',
    env: {
      ...environment,
      PATH: [commandLine, process.env.PATH].join(delimiter),
      PORTREEVE_URL: url,
      PORTREEVE_TOKEN: token,
    },
  });
  await once(shell, 'exit').catch(({ message }: Error) => {
    throw new Obstacle(`The shell ${program} cannot be started (${message}); set SHELL to another one.`);
  });
  await end(0);
}

function greet(url: string, token: string): void {
  const exports = `
  export PORTREEVE_URL=${url}
  export PORTREEVE_TOKEN=${token}
  export PORTREEVE_CONFIG=${configFile}
  export PATH="${commandLine}:$PATH"
`;
  console.log(`
Portreeve serves ${url}  (console: ${url}/console/, as demo with the password portreeve-demo; reference: ${url}/docs)
${values.shell ? '' : exports}
Try one of these, or take the tour of 15 minutes: ${url}/docs/handbook/tour

  portreeve network-device list
  portreeve host explain lobby-camera
  portreeve event tail

${values.shell ? 'This shell has the address and the token. Leave it, and nothing of the demonstration stays.' : 'Stop it with Ctrl-C; nothing of it stays.'}`);
}
