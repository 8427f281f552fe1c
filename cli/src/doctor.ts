import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { connect, refuseOtherLocale } from '@portreeve/server/kernel/database/connect.ts';
import { comparedMigrations, readMigrations } from '@portreeve/server/kernel/schema/migrate.ts';
import { loadSecrets, readMasterKey } from '@portreeve/server/kernel/write/secrets.ts';
import { type Config, readConfig } from '@portreeve/server/node/config.ts';
import { migrationsFolder } from '@portreeve/server/node/migrate-database.ts';
import { otherNodes } from './doctor-cluster.ts';
import { examineArchives, examinePrograms } from './doctor-programs.ts';
import { examineRadius, radiusGeneration } from './doctor-radius.ts';
import { type Finding, notOk, ok } from './finding.ts';
import { valuesMissing } from './values-missing.ts';

type Pool = ReturnType<typeof connect>;

const messageOf = (error: unknown): string => {
  const { message, code, errors } = error as { message?: string; code?: string; errors?: Error[] };
  // Several addresses were tried; the error of the first one is enough.
  return (message || errors?.[0]?.message || code || String(error)).replace(/\.$/, '');
};

/** Runs all checks of the doctor without changing anything; a failed check does not stop the others. */
export async function examine(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const findings = [nodeVersion()];
  let config: Config;
  try {
    config = await readConfig(env);
  } catch (error) {
    const fault = messageOf(error);
    const text = fault.startsWith('The ') ? fault : `configuration: ${fault}`;
    return [...findings, notOk(text, 'Fix the file that PORTREEVE_CONFIG names, or the variable.')];
  }
  findings.push(ok(`configuration: ${env.PORTREEVE_CONFIG ?? 'environment and defaults'}`));
  const key = await keyFile(config);
  findings.push(key.finding, ...(await database(config, key.masterKey)));
  findings.push(
    ...(await Promise.all([
      apiPort(config),
      ...(config.metricsPort > 0 ? [metricsPort(config)] : []),
      freeRadius(config),
      examineArchives(config),
    ])),
    ...(await examinePrograms(config, env.PATH ?? '')),
    ...(await examineRadius(config)),
  );
  return findings;
}

function nodeVersion(): Finding {
  const { version } = process;
  const isSupported = version.startsWith('v24.');
  return isSupported
    ? ok(`Node ${version.slice(1)}`)
    : notOk(`Node ${version.slice(1)}; 24 is required`, 'Start it with cli/portreeve, which brings its own Node.');
}

async function keyFile({ keyFile: file }: Config): Promise<{ finding: Finding; masterKey?: Buffer }> {
  try {
    const masterKey = await readMasterKey(file);
    const { uid } = await stat(file);
    const owner = uid === process.getuid?.() ? '' : `, owned by user ${uid}`;
    return { finding: ok(`key file: ${file}, readable by its owner only${owner}`), masterKey };
  } catch (error) {
    const isMissing = ((error as Error).cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
    const fix = isMissing
      ? `For a new cell run: portreeve keys create ${file}. For an existing one restore its key file; no other key decrypts its secrets.`
      : `The file must be owned by the user that runs serve, with mode 600: chmod 600 ${file}`;
    return { finding: notOk(`key file: ${messageOf(error)}`, fix) };
  }
}

/** The database as user@host/name, without the password. */
function placeOf(text: string): string {
  const [, role, servers, path] = /^postgres(?:ql)?:\/\/(?:([^:@/]*)(?::[^@/]*)?@)?([^/?#]+)([^?#]*)/.exec(text) ?? [];
  return servers === undefined ? 'an invalid database URL' : `${role || '?'}@${servers}${path}`;
}

async function database(config: Config, masterKey: Buffer | undefined): Promise<Finding[]> {
  const place = placeOf(config.databaseUrl);
  const pool = connect({ url: config.databaseUrl, connectionsMax: 2 });
  try {
    await pool.query('select');
  } catch (error) {
    await pool.end();
    return [
      notOk(
        `database: ${place} does not respond: ${messageOf(error)}`,
        'Check that PostgreSQL is running there and that PORTREEVE_DATABASE_URL is correct. portreeve migrate creates a new database.',
      ),
    ];
  }
  try {
    const checks = [
      version,
      locale,
      role,
      migrations,
      clock,
      accessValues,
      radiusGeneration(config),
      ...(config.clusterAddress === '' ? [] : [otherNodes(config)]),
      ...(masterKey ? [keyFits(masterKey)] : []),
    ];
    const findings = [ok(`database: ${place} responds`)];
    for (const check of checks) findings.push(await attempt(check, pool));
    return findings;
  } finally {
    await pool.end();
  }
}

type Check = (pool: Pool) => Promise<Finding>;

async function attempt(check: Check, pool: Pool): Promise<Finding> {
  try {
    return await check(pool);
  } catch (error) {
    return notOk(`${check.name || 'key'}: ${messageOf(error)}`, 'Check the PostgreSQL log.');
  }
}

const postgresMin = 15;

async function version(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<{ server_version: string }>('show server_version');
  const text = rows[0]!.server_version;
  const isSupported = Number.parseInt(text, 10) >= postgresMin;
  return isSupported
    ? ok(`PostgreSQL ${text}`)
    : notOk(`PostgreSQL ${text}; ${postgresMin} or newer is required`, 'Upgrade the server.');
}

async function locale(pool: Pool): Promise<Finding> {
  try {
    await refuseOtherLocale(pool);
    return ok('locale: UTF8, C.UTF-8');
  } catch (error) {
    return notOk(
      `locale: ${messageOf(error)}`,
      'Create a new database with portreeve migrate, and copy the data into it.',
    );
  }
}

/** Least privilege: extra rights of the database role would make any fault of the service worse. */
async function role(pool: Pool): Promise<Finding> {
  const { rows } = await pool.query<
    Record<'name' | 'tables', string> & Record<'super' | 'bypass' | 'creates' | 'owns', boolean>
  >(
    `select current_user as name, r.rolsuper as super, r.rolbypassrls as bypass, r.rolcreaterole or r.rolcreatedb as creates,
       pg_has_role(current_user, (select d.datdba from pg_database d where d.datname = current_database()), 'member') as owns,
       (select count(*) from pg_class c where c.relkind in ('r', 'p') and pg_has_role(current_user, c.relowner, 'member')
         and c.relnamespace = 'public'::regnamespace)::text as tables
     from pg_roles r where r.rolname = current_user`,
  );
  const attributes = rows[0]!;
  const faults = [
    attributes.super && 'is a superuser',
    attributes.bypass && !attributes.super && 'bypasses row security',
    attributes.creates && !attributes.super && 'may create roles or databases',
    attributes.owns && !attributes.super && 'owns the database',
    Number(attributes.tables) > 0 && !attributes.super && `owns ${attributes.tables} tables`,
  ].filter((fault) => fault !== false);
  if (faults.length === 0) return ok(`role: ${attributes.name} is neither superuser nor owner`);
  return notOk(
    `role: ${attributes.name} ${faults.join(', ')}`,
    'Use a separate role for serve (PORTREEVE_DATABASE_URL), and the owner only for portreeve migrate (PORTREEVE_OWNER_URL).',
  );
}

async function migrations(pool: Pool): Promise<Finding> {
  const client = await pool.connect();
  try {
    const all = await readMigrations(migrationsFolder);
    const { pending, unknown } = await comparedMigrations(client, migrationsFolder);
    if (pending.length > 0) return notOk(`migrations: ${pending.join(', ')} not applied`, 'Run portreeve migrate.');
    if (unknown.length > 0)
      return notOk(
        `migrations: the database is newer than this release, it has ${unknown.join(', ')}`,
        'Start the newer release.',
      );
    return ok(`migrations: all ${all.length} applied`);
  } finally {
    client.release();
  }
}

const shownMax = 5;

/** Checks for logical networks without an access value on devices with enforced ports: hosts there are rejected or keep their access. */
async function accessValues(pool: Pool): Promise<Finding> {
  const missing = await valuesMissing(pool);
  if (missing.length === 0) return ok('access values: set for every device with enforced ports');
  const shown = missing.slice(0, shownMax).map(({ network, devices, first }) => {
    const moreDevices = devices > 1 ? ` and ${devices - 1} more` : '';
    return `${network} on ${first}${moreDevices}`;
  });
  const rest = missing.length > shownMax ? `, and ${missing.length - shownMax} more networks` : '';
  return notOk(
    `access values: none for ${shown.join(', ')}${rest}`,
    'Add a value on the device or its container: portreeve logical-network-configuration create',
  );
}

const skewMsMax = 1_000;

/** Clock skew against the database, measured at the midpoint of the fastest of several round trips. */
async function clock(pool: Pool): Promise<Finding> {
  let best = { tookMs: Number.POSITIVE_INFINITY, skewMs: 0 };
  for (let question = 0; question < 5; question++) {
    const startMs = Date.now();
    const { rows } = await pool.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    );
    const tookMs = Date.now() - startMs;
    if (tookMs < best.tookMs) best = { tookMs, skewMs: Math.round(rows[0]!.ms - startMs - tookMs / 2) };
  }
  const { skewMs } = best;
  const words = `clock: ${Math.abs(skewMs)} ms ${skewMs < 0 ? 'ahead of' : 'behind'} the database`;
  return Math.abs(skewMs) <= skewMsMax ? ok(words) : notOk(words, 'Synchronise both machines by NTP: chronyc tracking');
}

/** Unwraps the data keys in a transaction that is rolled back, since unwrapping creates the first key of a new database. */
function keyFits(masterKey: Buffer): Check {
  return async (pool) => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const { rows } = await client.query<{ keys: number }>('select count(*)::integer as keys from data_key');
      await loadSecrets(client, masterKey);
      const { keys } = rows[0]!;
      return ok(
        keys === 0 ? 'key: the database has no secrets yet' : `key: fits the database (data keys unwrapped: ${keys})`,
      );
    } catch (error) {
      return notOk(
        `key: ${messageOf(error)}`,
        'Restore the key file that belongs to this database (PORTREEVE_KEY_FILE).',
      );
    } finally {
      await client.query('rollback');
      client.release();
    }
  };
}

const apiPort = ({ host, port }: Config): Promise<Finding> =>
  portFinding('port', host, port, '/healthz', (text) => /"name":"process"/.test(text), 'PORTREEVE_PORT');

const metricsPort = ({ host, metricsPort: port }: Config): Promise<Finding> =>
  portFinding('metrics port', host, port, '/metrics', (text) => /^portreeve_/m.test(text), 'PORTREEVE_METRICS_PORT');

/** Passes if the port is free or already served by Portreeve. */
async function portFinding(
  what: string,
  host: string,
  port: number,
  path: string,
  isOurs: (text: string) => boolean,
  variable: string,
): Promise<Finding> {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const fault = await bindingFault(host, port);
  if (fault === undefined) return ok(`${what}: ${place} is free`);
  if (fault === 'EADDRINUSE') {
    const text = await fetch(`http://${place}${path}`, { signal: AbortSignal.timeout(3_000) }).then(
      (response) => response.text(),
      () => '',
    );
    if (isOurs(text)) return ok(`${what}: ${place} is served by Portreeve`);
    return notOk(
      `${what}: ${place} is in use by another program`,
      `Find it with ss -ltnp, or set ${variable} to another port.`,
    );
  }
  const fix =
    fault === 'EACCES'
      ? 'Ports below 1024 need privileges: use a higher port behind a reverse proxy.'
      : 'Check that PORTREEVE_HOST is an address of this machine.';
  return notOk(`${what}: ${place} cannot be opened (${fault})`, fix);
}

function bindingFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => done(undefined)));
  });
}

const run = promisify(execFile);

async function freeRadius({ radiusFolder }: Config): Promise<Finding> {
  for (const program of ['freeradius', 'radiusd', '/usr/sbin/freeradius', '/usr/sbin/radiusd']) {
    try {
      const { stdout } = await run(program, ['-v'], { timeout: 5_000 });
      const installedVersion = /FreeRADIUS Version (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
      if (!installedVersion) continue;
      return installedVersion.startsWith('3.')
        ? ok(`FreeRADIUS ${installedVersion}`)
        : notOk(
            `FreeRADIUS ${installedVersion}; 3.2 is required`,
            'Install the freeradius package of your distribution.',
          );
    } catch {
      // Not installed under this name; try the next one.
    }
  }
  return radiusFolder === ''
    ? ok('FreeRADIUS: not installed', 'Only a node that serves RADIUS needs it: apt install freeradius')
    : notOk('FreeRADIUS: not installed', 'Install it: apt install freeradius freeradius-rest');
}
