import { action, auditExecuted, type Context } from '../../context.ts';
import type { RecordOf } from '../../kernel/declare/declaration.ts';
import { shapes } from '../../kernel/declare/shapes.ts';
import { invalid, notFound, rejected } from '../../kernel/failure.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { discoverDevices } from './discovery.jobs.ts';
import { discoveryRun } from './discovery.ts';
import {
  type DiscoveryRequest,
  discoveryRequest,
  optionsFor,
  sentSpans,
  spansOfGroup,
  wayThrough,
} from './discovery-request.ts';
import { stopRun, storeTaskID, storeWork } from './stored-run.ts';
import { visibleRuns, withSeenItems } from './visible-runs.ts';

const { id } = shapes;
const endedShown = 50;

const discover = action(discoveryRun, {
  name: 'discover',
  method: 'POST',
  path: '',
  doc: 'Discover network devices in address ranges and add them to a container',
  body: discoveryRequest,
  success: 202,
  errors: ['duplicate', 'rejected'],
  example: {
    containerID: 1,
    ranges: [{ cidr: '198.51.100.0/28' }],
    credentials: [{ snmpProtocol: 'V2C', snmpSecurityStrings: ['a-community'] }],
  },
  async run(call, context) {
    const request = call.body;
    const requestedSpans = sentSpans(request);
    const grouped = await spansOfGroup(context, request.addressGroupID);
    const way = wayThrough([...requestedSpans, ...grouped], request.seeds ?? [], grouped.length === 0);
    for (const { first, last } of way.allowedRanges) context.protocols.probes.refuseRange(first, last);
    const run = await createRun(context, request);
    await storeWork(context.tx, run, { ...way, options: await optionsFor(request, context) });
    const taskID = await context.startTask(
      discoverDevices,
      { runID: run.id },
      `Discover devices into ${run.containerName}`,
    );
    await storeTaskID(context.tx, run.id, taskID);
    await context.tx.records.observe(backgroundTask, taskID, {
      resultLocation: `/api/v2${discoveryRun.path}/status?id=${run.id}`,
    });
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${taskID}` };
  },
});

async function createRun(
  { tx }: Context,
  { containerID, credentials }: DiscoveryRequest,
): Promise<{ id: number; containerID: number; containerName: string }> {
  const { id } = await tx.records.create(discoveryRun, { containerID, credentials: JSON.stringify(credentials) });
  const { containerName } = (await tx.records.fetch(discoveryRun, id))!;
  return { id, containerID, containerName };
}

/** Finds a run by its id, or the newest one of a container; the request must contain one of them. */
async function namedRun(
  { id: runID, containerID }: { id?: number; containerID?: number },
  context: Context,
): Promise<RecordOf<typeof discoveryRun>> {
  if ((runID === undefined) === (containerID === undefined)) throw invalid('Send either id or containerID.');
  const filter = runID === undefined ? `containerID==${containerID}` : `id==${runID}`;
  const [run] = await visibleRuns(context, filter);
  if (run) return run;
  throw runID === undefined ? notFound(`discovery of container ${containerID}`) : notFound('discovery', runID);
}

const status = action(discoveryRun, {
  name: 'status',
  method: 'GET',
  path: '/status',
  doc: 'Read the state and the results of a discovery',
  query: {
    id: { shape: { ...id, doc: 'The run.' } },
    containerID: { shape: { ...id, doc: 'Instead of id: the newest discovery into this container.' } },
  },
  result: 'record',
  errors: ['not-found'],
  async run({ query }, context) {
    const run = await namedRun(query, context);
    return [await withSeenItems(context, (await context.fetch(discoveryRun, run.id))!)];
  },
});

const statusAll = action(discoveryRun, {
  name: 'status-all',
  method: 'GET',
  path: '/status/all',
  doc: `List all running discoveries, and the last ${endedShown} that have ended, newest first`,
  result: 'record',
  async run(_call, context) {
    const records = await visibleRuns(context);
    const ended = records.filter(({ finishedAt }) => finishedAt !== null).slice(0, endedShown);
    return records.filter((run) => run.finishedAt === null || ended.includes(run));
  },
});

const stop = action(discoveryRun, {
  name: 'stop',
  method: 'POST',
  path: '/stop',
  doc: 'Stop a discovery; devices already added stay',
  body: {
    kind: 'object',
    name: 'DiscoveryStop',
    properties: {
      id: { ...id, doc: 'The run.' },
      containerID: { ...id, doc: 'Instead of id: the discovery into this container.' },
    },
  },
  errors: ['not-found', 'rejected'],
  example: { containerID: 1 },
  async run({ body }, context) {
    const run = await namedRun(body, context);
    if (run.finishedAt !== null)
      throw rejected(`Discovery ${run.id} into ${run.containerName} has already ended in state ${run.state}.`);
    await stopRun(context.tx, run.id);
    await auditExecuted(context.tx, discoveryRun, [{ id: run.id, name: run.containerName }], 'stop');
    return {};
  },
});

export const discoveryActions = [discover, status, statusAll, stop];
