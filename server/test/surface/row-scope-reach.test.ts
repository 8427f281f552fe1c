import { describe, expect, test } from 'vitest';
import { type Declaration, isCollection, isLog, tableOf } from '../../src/kernel/declare/declaration.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Shape } from '../../src/kernel/declare/shape.ts';
import type { Table } from '../../src/kernel/model/model.ts';
import type { Client } from '../world/client.ts';
import { pathWith } from '../world/paths.ts';
import { world } from '../world/world.ts';
import { hiddenFrom, hiddenMac, hiddenWord, plantHiddenRecords } from './hidden-records.ts';

const mark = new RegExp(`\\b77\\d{7}\\b|${hiddenWord}|DE:AD:BE`, 'i');

/**
 * Returns a filter that finds a hidden id or name in a field of this shape; undefined if such a field cannot contain
 * either.
 */
function askingFor(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
      return `==*${hiddenWord}*`;
    case 'mac':
      return `==${hiddenMac}`;
    case 'integer':
      return `=in=(${ids.join(',')})`;
    case 'list':
      return askingFor(shape.item);
    default:
      return undefined;
  }
}

/** Ids that hidden records may have. */
const ids = Array.from({ length: 6 }, (_, n) => hiddenFrom + n + 1);

describe('a hidden record that is related to a visible one', async () => {
  const shared = await world({ jobs: 'enqueue' });
  const { admin, service } = shared;
  const { model } = service.runtime.engine;
  const { scoped, visible, hostID, caller } = await plantHiddenRecords(shared, { view: true });

  const isLimited = (declaration: Declaration) => scoped.some((table) => table.declaration === declaration);
  const isWrittenReference = ({ fields }: Table, name: string) =>
    fields.get(name)?.reference !== undefined && fields.get(name)!.access === 'write';
  const collections = model.tables.filter(
    ({ declaration }) =>
      isCollection(declaration) && declaration.path && declaration.patterns.includes('list') && !isLog(declaration),
  );

  /** Returns the URL of a read with its required parameters, and with a visible record where it takes an id. */
  function urlOf(operation: Operation): string {
    const values = { deviceID: visible['network-device'], portID: visible.port, hostID, adapterID: visible.adapter };
    const query = Object.entries(operation.query)
      .filter(([, { required }]) => required)
      .map(
        ([name, { shape }]) =>
          `${name}=${values[name as keyof typeof values] ?? ('example' in shape ? shape.example : 'ward')}`,
      );
    return `${pathWith(operation, visible[operation.operationId.split('.')[0]!] ?? 1)}?${query.join('&')}`;
  }

  /**
   * The contract shows a reference that clients write as it is stored, and the kind and id of a record that a trace may
   * not name.
   */
  const withoutWritten = (text: string) => text.replaceAll(/"ownerID":\d+| #\d+/g, '');

  const leaks = async (client: Client, operation: Operation): Promise<boolean> =>
    mark.test(withoutWritten((await client.get(urlOf(operation))).text));

  test('is not in the response of any read', async () => {
    const reads = service.operations.filter(
      ({ method, operationId, streams }) =>
        method === 'GET' &&
        !streams &&
        collections.some(({ declaration }) => operationId.startsWith(`${declaration.name}.`)) &&
        !operationId.includes('.monitor-'),
    );
    const leaking: string[] = [];
    let powerful = 0;
    for (const operation of reads) {
      if (await leaks(caller, operation)) leaking.push(operation.operationId);
      if (await leaks(admin, operation)) powerful++;
    }
    process.stdout.write(
      `row scope: ${reads.length} reads, ${powerful} show a hidden record to a caller without limits, ${leaking.length} leak\n`,
    );
    expect(leaking).toEqual([]);
    // Fails if the visible records have no hidden related records.
    expect(powerful).toBeGreaterThan(15);
  });

  test('is not found by a filter on any field that contains or refers to it', async () => {
    const leaking: string[] = [];
    let [cases, powerful] = [0, 0];
    for (const table of collections) {
      const { declaration } = table;
      const ownFields = [...table.selectables.values()].filter(
        ({ path }) => table.fields.get(path.split('.', 1)[0]!)!.access !== 'write',
      );
      const reached = [...table.referred.values()].filter(
        ({ to, path }) => isLimited(to.declaration) && !isWrittenReference(to, path.slice(path.indexOf('.') + 1)),
      );
      for (const { path, shape } of [...ownFields, ...reached]) {
        const condition = askingFor(shape);
        if (!condition) continue;
        cases++;
        const url = `${declaration.path}?count=0&filter=${encodeURIComponent(`${path}${condition}`)}`;
        const [reply, unlimitedReply] = [await caller.get(url), await admin.get(url)];
        if (Number(unlimitedReply.body.filtered) > 0) powerful++;
        if (reply.code !== 200 || reply.body.filtered !== 0)
          leaking.push(`${tableOf(declaration)} ${path}: ${reply.code} ${reply.body.filtered}`);
      }
    }
    process.stdout.write(
      `row scope: ${cases} filters, ${powerful} find a record for a caller without limits, ${leaking.length} leak\n`,
    );
    expect(leaking).toEqual([]);
    expect(powerful).toBeGreaterThan(40);
  }, 240_000);
});
