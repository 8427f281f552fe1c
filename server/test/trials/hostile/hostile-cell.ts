import { fileURLToPath } from 'node:url';
import { catalogue } from '../../../src/catalogue.ts';
import { networkDevice } from '../../../src/device/network-device/network-device.ts';
import { observePorts } from '../../../src/device/port/observe-ports.ts';
import type { Collection } from '../../../src/kernel/declare/declaration.ts';
import type { ConnectionLimits } from '../../../src/kernel/http/connections.ts';
import type { WriteTx } from '../../../src/kernel/write/runtime.ts';
import { backgroundTask } from '../../../src/system/background-task/background-task.ts';
import { openCell, type ServedCell } from '../../world/cell.ts';

/** Opens a cell of one node without rate limits, with a record of each resource and one large list. */
export const openHostileCell = (connections: ConnectionLimits): Promise<ServedCell> =>
  openCell({
    nodes: 1,
    program: fileURLToPath(new URL('../hostile-node.ts', import.meta.url)),
    environment: { NODE_OPTIONS: '--expose-gc' },
    settings: { connections },
    fill,
  });

/** The resource with the large list: about 6 MB, more than the buffers of two sockets hold. */
export const largeList = `/api/v2${backgroundTask.path}`;
const largeRecords = 100;

/** True if the example refers to no other record, which would have to exist. */
const standsAlone = ({ typeInPath: typed, example = {}, fields }: Collection): boolean =>
  !typed &&
  Object.keys(example).every((name) => !fields[name]?.nestedReferences && fields[name]?.reference?.by !== 'id');

async function fill(tx: WriteTx): Promise<void> {
  const attributes = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`large-${n}`, 'x'.repeat(2_000)]));
  for (let n = 0; n < largeRecords; n++) await tx.records.create(backgroundTask, { message: `large ${n}`, attributes });
  for (const { declaration } of catalogue) {
    const { kind, patterns, example } = declaration as Collection;
    if (kind === 'collection' && patterns.includes('create') && standsAlone(declaration as Collection))
      await tx.records.create(declaration as Collection, example as Record<string, unknown>);
  }
  const device = { name: 'switch', containerID: 1, ipAddress: '192.0.2.7', physicalAddress: '02:00:5E:00:00:01' };
  const { id } = await tx.records.create(networkDevice, device);
  await observePorts(
    tx.client,
    Array.from({ length: 48 }, (_, n) => ({ deviceID: id, name: `Gi1/0/${n}`, ifindex: String(n) })),
  );
}
