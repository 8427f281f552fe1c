import { stat, statfs } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { Sql } from '@portreeve/server/kernel/database/connect.ts';
import type { Config } from '@portreeve/server/node/config.ts';
import { engineTls, identityFolderOf } from '@portreeve/server/node/engine-identity.ts';
import { type Finding, notOk, ok } from './finding.ts';

const modulesFolder = '/usr/lib/freeradius';
/** Modules that the engine loads, with their Debian packages. */
const modules: Readonly<Record<string, string>> = { rlm_eap: 'freeradius', rlm_rest: 'freeradius-rest' };

/** Checks the requirements of the RADIUS engine: its modules, its folder and the port for decisions. */
export async function examineRadius({ radiusFolder, decisionPort }: Config): Promise<Finding[]> {
  if (radiusFolder === '') return [];
  return [
    ...(await Promise.all(Object.entries(modules).map(([module, source]) => moduleFinding(module, source)))),
    await folderFinding(radiusFolder),
    await decisionFinding(decisionPort, radiusFolder),
  ];
}

async function moduleFinding(module: string, source: string): Promise<Finding> {
  const file = join(modulesFolder, `${module}.so`);
  return (await exists(file))
    ? ok(`FreeRADIUS module: ${module}`)
    : notOk(`FreeRADIUS module: ${module} is missing`, `Install it: apt install ${source}`);
}

const exists = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

const tmpfs = 0x01021994;
const ownerOnly = 0o700;

/** Checks the folder of the engine. It contains shared secrets and private keys, so only its owner may read it, and it should not be on a disk. */
async function folderFinding(folder: string): Promise<Finding> {
  const what = `RADIUS folder: ${folder}`;
  const stats = await stat(folder).catch(() => undefined);
  if (!stats) return ok(`${what} is created at the first start`);
  const mode = stats.mode & 0o777;
  if (mode !== ownerOnly) return notOk(`${what} has mode ${mode.toString(8)}`, `chmod 700 ${folder}`);
  const { type } = await statfs(folder);
  if (type === tmpfs) return ok(`${what}, in memory, for its owner only`);
  return notOk(
    `${what} is on a disk, where secrets and private keys would remain`,
    'Set PORTREEVE_RADIUS_FOLDER to a folder on a tmpfs, such as /run/portreeve/radius.',
  );
}

/** Passes if the port is free, or if the node of this folder listens there: no other listener has its key. */
async function decisionFinding(port: number, folder: string): Promise<Finding> {
  const what = `decision port: 127.0.0.1:${port}`;
  if (await isFree(port)) return ok(`${what} is free`);
  const tls = await engineTls(identityFolderOf(folder));
  if (tls && (await answersAsNode(port, tls))) return ok(`${what} is served by Portreeve`);
  return notOk(
    `${what} is in use by another program`,
    'Find it with ss -ltnp, or set PORTREEVE_DECISION_PORT to another port.',
  );
}

/** Requests a path that does not exist: a lookup of an address would be reported as a packet from that address. */
const answersAsNode = (port: number, tls: object): Promise<boolean> =>
  new Promise((done) => {
    request(
      { host: '127.0.0.1', port, path: '/radius/', method: 'HEAD', agent: false, timeout: 3_000, ...tls },
      (response) => done(response.resume().statusCode === 404),
    )
      .once('timeout', () => done(false))
      .once('error', () => done(false))
      .end();
  });

const isFree = (port: number): Promise<boolean> =>
  new Promise((done) => {
    const server = createServer();
    server.once('error', () => done(false));
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => server.close(() => done(true)));
  });

const generationSql = `select g.wanted, g.refused, coalesce(g.refused_why, '') as why, n.radius_generation as running
from config_generation g left join cluster_node n on n.node = $1 where g.topic = 'radius'`;

/** Checks whether the engine of this node runs the stored configuration. */
export const radiusGeneration = ({ node, radiusFolder }: Config) =>
  async function generation(pool: Sql): Promise<Finding> {
    if (radiusFolder === '') return ok('RADIUS: this node runs no engine');
    const { rows } = await pool.query<{ wanted: number; refused: number | null; why: string; running: number | null }>(
      generationSql,
      [node],
    );
    const { wanted: desired, refused, why, running } = rows[0]!;
    if (running === null) return ok(`RADIUS generation: ${desired} is required; ${node} is not running`);
    if (running === desired) return ok(`RADIUS generation: ${node} runs ${running}`);
    const [first = ''] = why.split('\n');
    return refused === desired
      ? notOk(
          `RADIUS generation: ${desired} was rejected (${first}); ${node} runs ${running}`,
          'Read portreeve server-configuration log, correct the configuration that it names, and save it.',
        )
      : notOk(`RADIUS generation: ${node} runs ${running} instead of ${desired}`, 'Wait a minute, then check its log.');
  };
