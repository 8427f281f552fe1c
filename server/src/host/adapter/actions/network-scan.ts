import { action, auditExecuted, distinctIds } from '../../../context.ts';
import { shapes } from '../../../kernel/declare/shapes.ts';
import { notFound } from '../../../kernel/failure.ts';
import { intensities } from '../../../protocols/nmap/nmap.ts';
import { backgroundTask } from '../../../system/background-task/background-task.ts';
import { networkScan } from '../adapter.jobs.ts';
import { adapter } from '../adapter.ts';
import { requireScannable } from '../scan-adapters.ts';

export const runNetworkScan = action(adapter, {
  name: 'run-network-scan',
  method: 'POST',
  path: '/run-network-scan',
  doc: 'Scan the ports of adapters at their current addresses',
  body: {
    kind: 'object',
    name: 'NetworkScanWish',
    required: ['id'],
    properties: {
      id: { ...shapes.ids(5_000), doc: 'The adapters.' },
      intensity: {
        kind: 'choice',
        values: intensities,
        doc: 'LIGHT: 100 common TCP ports; STANDARD (default): 1,000 with service versions; FULL: all TCP ports and common UDP ports.',
      },
      osDetection: { kind: 'flag', doc: 'Detect the operating system. Default: true.' },
    },
  },
  success: 202,
  example: { id: [1], intensity: 'LIGHT' },
  errors: ['not-found', 'rejected'],
  async run({ body }, context) {
    const { id, intensity = 'STANDARD', osDetection = true } = body;
    const requestedIds = distinctIds(id);
    const visibleAdapters = await context.query<{ id: number; name: string }>(
      `select r.id, r.physical_address as name from ${context.visible(adapter)} r where r.id = any($1::bigint[]) order by r.id`,
      [requestedIds],
    );
    const visibleIds = new Set(visibleAdapters.map((visibleAdapter) => visibleAdapter.id));
    const missingId = requestedIds.find((requestedId) => !visibleIds.has(requestedId));
    if (missingId !== undefined) throw notFound(adapter.title, missingId);
    await requireScannable(context, requestedIds);
    await auditExecuted(context.tx, adapter, visibleAdapters, `scan ports: ${intensity}`);
    const message = `Scan ${requestedIds.length === 1 ? 'an adapter' : `${requestedIds.length} adapters`}`;
    const task = await context.startTask(networkScan, { id: requestedIds, intensity, osDetection }, message);
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
  },
});
