import { randomBytes, randomUUID } from 'node:crypto';
import { onBehalfOf } from '../kernel/database/shares.ts';
import { databaseFailure, inTransaction, RolledBack, troubleOf } from '../kernel/database/transaction.ts';
import { commonErrors, type Operation } from '../kernel/declare/operation.ts';
import type { ObjectShape } from '../kernel/declare/shape.ts';
import { unavailable } from '../kernel/failure.ts';
import type { Runtime } from '../kernel/write/runtime.ts';

const check: ObjectShape = {
  kind: 'object',
  name: 'HealthCheck',
  properties: { name: { kind: 'text', max: 80 }, ready: { kind: 'flag' }, detail: { kind: 'text', max: 500 } },
};

interface Check {
  name: string;
  ready: boolean;
  detail: string;
}

const open = {
  group: 'Health',
  method: 'GET',
  access: { kind: 'open' },
  query: {},
  writes: false,
  // A load balancer whose check is throttled would take the node out of service.
  isUnthrottled: true,
  success: 200,
  result: check,
} as const;

/** The state of a node that its health checks report. */
export interface NodeHealth {
  isLeaving(): boolean;
  /** The generation of the loaded policies; undefined before the first load. */
  generation(): number | undefined;
  /** Whether its RADIUS engine is ready; undefined: it runs no engine. */
  radius(): { ready: boolean; detail: string } | undefined;
}

/** Returns the health operations, for load balancers and supervisors. They need no authentication. */
export function healthOperations(runtime: Runtime, { isLeaving, generation, radius }: NodeHealth): Operation[] {
  // These requests are not throttled, so concurrent ones share one check of the database.
  let asking: Promise<Check[]> | undefined;
  return [
    {
      ...open,
      operationId: 'health.live',
      path: '/healthz',
      summary: 'Report that the process is running',
      errors: commonErrors,
      run: async () => ({ results: [{ name: 'process', ready: true, detail: '' }] }),
    },
    {
      ...open,
      operationId: 'health.ready',
      path: '/readyz',
      summary: 'Report whether the node can serve requests',
      errors: commonErrors,
      run: async () => {
        if (isLeaving()) throw notReady('node (it is shutting down)');
        asking ??= onBehalfOf({ lane: 'health' }, () => readiness(runtime)).finally(() => {
          asking = undefined;
        });
        const checks = [...(await asking), policiesCheck(generation())];
        const missing = checks.filter(({ ready }) => !ready);
        if (missing.length > 0) {
          const words = missing.map(({ name, detail }) => `${name} (${detail})`).join(', ');
          throw notReady(words);
        }
        // An engine that is down does not make the node unready, because the API is needed to repair it.
        const engine = radius();
        return { results: engine ? [...checks, { name: 'radius', ...engine }] : checks };
      },
    },
  ];
}

const policiesCheck = (generation: number | undefined): Check =>
  generation === undefined
    ? { name: 'policies', ready: false, detail: 'they are being loaded' }
    : { name: 'policies', ready: true, detail: `generation ${generation}` };

const notReady = (words: string) => unavailable(`Not ready: ${words}.`);

/** Runs the checks. A check that takes longer than two seconds is not ready. */
async function readiness(runtime: Runtime): Promise<Check[]> {
  const checkQueries: [name: string, sql: string, detail: string][] = [
    ['database', 'select true as ready', 'it does not respond'],
    [
      'logs',
      `select exists (select from pg_inherits i where i.inhparent = 'audit_record'::regclass) as ready`,
      'the audit log has no current slice',
    ],
    [
      'jobs',
      `select to_regclass('pgboss.job') is not null as ready`,
      'the job queue is missing; run portreeve migrate',
    ],
  ];
  const [database, ...otherQueries] = checkQueries;
  const first = await runCheck(runtime, ...database!);
  // Without the database the other checks have no result.
  if (!first.ready) return [first];
  const writable = checkWithin('writable', tryWrite(runtime), 'a write takes too long');
  return [first, ...(await Promise.all([writable, ...otherQueries.map((question) => runCheck(runtime, ...question))]))];
}

function runCheck(runtime: Runtime, name: string, sql: string, detail: string): Promise<Check> {
  const result = runtime.pool.query<{ ready: boolean }>(sql).then(
    ({ rows }) => (rows[0]?.ready === true ? '' : detail),
    (error: unknown) => troubleOf(error) ?? detail,
  );
  return checkWithin(name, result, detail);
}

/** Returns the result of a check, with the detail if it is not ready. The check fails if it takes too long. */
async function checkWithin(name: string, result: Promise<string>, timeoutDetail: string): Promise<Check> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(timeoutDetail), answerMsMax);
  const detail = (await Promise.race([result, promise]).finally(() => clearTimeout(timer))).replace(/\.$/, '');
  return { name, ready: detail === '', detail };
}

const answerMsMax = 2_000;
/** Size of random data that is larger than a page and cannot be compressed, so that a full disk refuses it. */
const probeBytes = 12_000;

/** Writes a row and rolls it back. This needs a primary with free disk and the permission, but does not wait for a standby. */
async function tryWrite(runtime: Runtime): Promise<string> {
  const answer = JSON.stringify(randomBytes(probeBytes).toString('base64'));
  try {
    return await inTransaction(runtime.pool, async (client) => {
      await client.query(`set local statement_timeout = ${answerMsMax}`);
      await client.query(
        `insert into idempotency_key (owner, key, request_hash, expires_at, answer) values ('readiness', $1, '', now(), $2)`,
        [randomUUID(), answer],
      );
      throw new RolledBack('');
    });
  } catch (error) {
    return troubleOf(error) ?? databaseFailure(error, false)?.message ?? (error as Error).message;
  }
}
