import { unavailable } from './kernel/failure.ts';
import { commonErrors, type Operation } from './kernel/operation.ts';
import type { Runtime } from './kernel/runtime.ts';
import type { ObjectShape } from './kernel/shape.ts';

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
  success: 200,
  result: check,
} as const;

/** Whether the process runs, and whether it can serve: open, for load balancers and supervisors. */
export const healthOperations = (runtime: Runtime, isLeaving: () => boolean): Operation[] => [
  {
    ...open,
    operationId: 'health.live',
    path: '/healthz',
    summary: 'Say that the process runs',
    errors: commonErrors,
    run: async () => ({ results: [{ name: 'process', ready: true, detail: '' }] }),
  },
  {
    ...open,
    operationId: 'health.ready',
    path: '/readyz',
    summary: 'Say whether the node can serve, and what keeps it from that',
    errors: commonErrors,
    run: async () => {
      if (isLeaving()) throw notReady('node (it is about to stop)');
      const checks = await readiness(runtime);
      const missing = checks.filter(({ ready }) => !ready);
      if (missing.length > 0) {
        const words = missing.map(({ name, detail }) => `${name} (${detail})`).join(', ');
        throw notReady(words);
      }
      return { results: checks };
    },
  },
];

const notReady = (words: string) => unavailable(`Not ready: ${words}.`);

/** Each asks its question within two seconds; what does not answer is not ready. */
async function readiness(runtime: Runtime): Promise<Check[]> {
  const questions: [name: string, sql: string, detail: string][] = [
    ['database', 'select true as ready', 'it does not answer'],
    ['writable', 'select not pg_is_in_recovery() as ready', 'it takes no writes: a standby'],
    [
      'logs',
      `select exists (select from pg_inherits i where i.inhparent = 'audit_record'::regclass) as ready`,
      'the audit log has no slice',
    ],
    [
      'jobs',
      `select to_regclass('pgboss.job') is not null as ready`,
      'the job queue is missing; run portreeve migrate',
    ],
  ];
  const [database, ...others] = questions;
  const first = await ask(runtime, ...database!);
  // Without it nothing else is known, and guesses would mislead.
  return first.ready ? [first, ...(await Promise.all(others.map((question) => ask(runtime, ...question))))] : [first];
}

async function ask(runtime: Runtime, name: string, sql: string, detail: string): Promise<Check> {
  const timer = AbortSignal.timeout(2_000);
  const late = new Promise<boolean>((done) => timer.addEventListener('abort', () => done(false)));
  const asked = runtime.pool.query<{ ready: boolean }>(sql).then(
    ({ rows }) => rows[0]?.ready === true,
    () => false,
  );
  const ready = await Promise.race([asked, late]);
  return { name, ready, detail: ready ? '' : detail };
}
