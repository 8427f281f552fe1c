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
  // A balancer that is turned away takes the node out of service.
  isUnthrottled: true,
  success: 200,
  result: check,
} as const;

/** What a node knows of itself. */
export interface NodeHealth {
  isLeaving(): boolean;
  /** The generation of the policies that it decides by; undefined before the first is loaded. */
  generation(): number | undefined;
  /** Whether its RADIUS engine answers; undefined: it runs none. */
  radius(): { ready: boolean; detail: string } | undefined;
}

/** Whether the process runs, and whether it can serve: open, for load balancers and supervisors. */
export function healthOperations(runtime: Runtime, { isLeaving, generation, radius }: NodeHealth): Operation[] {
  // Nobody is turned away here, so however many ask at once, the database is asked once.
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
      summary: 'Report whether the node can serve, and if not, why',
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
        // An engine that is down is repaired by the API: it does not take the node out of service.
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

/** Each asks its question within two seconds; what does not answer is not ready. */
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
  // Without it nothing else is known, and guesses would mislead.
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

/** The detail of what is not ready; empty when it is. */
async function checkWithin(name: string, result: Promise<string>, timeoutDetail: string): Promise<Check> {
  const { promise, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(timeoutDetail), answerMsMax);
  const detail = (await Promise.race([result, promise]).finally(() => clearTimeout(timer))).replace(/\.$/, '');
  return { name, ready: detail === '', detail };
}

const answerMsMax = 2_000;
/** Does not compress, and takes more than a page, so that a full disk refuses it. */
const probeBytes = 12_000;

/** A write that is rolled back: it needs a primary, its disk and its permission, but waits for no standby. */
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
