import { describe, expect, test } from 'vitest';
import { deviceProfilingRule } from '../../src/host/device-profiling-rule/device-profiling-rule.ts';
import { type Declaration, isCollection, isLog, tableOf } from '../../src/kernel/declare/declaration.ts';
import { quoted } from '../../src/kernel/declare/names.ts';
import type { Operation } from '../../src/kernel/declare/operation.ts';
import type { Shape } from '../../src/kernel/declare/shape.ts';
import type { Table } from '../../src/kernel/model/model.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { asOwner } from '../trials/slices.ts';
import type { Client } from '../world/client.ts';
import { pathWith } from '../world/paths.ts';
import { Limiter, selecting } from '../world/restricted-admins.ts';
import { world } from '../world/world.ts';

/**
 * Hidden records have ids from here on, this word in their names and addresses with this prefix, so any text shows
 * whether it contains one.
 */
const hiddenFrom = 770_000_000;
const word = 'zqx';
const hiddenMac = 'DE:AD:BE:EF:00:01';
const mark = new RegExp(`\\b77\\d{7}\\b|${word}|DE:AD:BE`, 'i');

/**
 * Returns a filter that finds a hidden id or name in a field of this shape; undefined if such a field cannot contain
 * either.
 */
function askingFor(shape: Shape): string | undefined {
  switch (shape.kind) {
    case 'text':
      return `==*${word}*`;
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
  const limiter = new Limiter(shared);
  const scoped = model.tables.filter(({ declaration }) => isCollection(declaration) && declaration.scopedBy);
  const ruleLike = (name: string) => ({ ...(deviceProfilingRule.example as object), name });
  const account = (userID: string) =>
    limiter.transact(async ({ records }) => (await records.create(userAccount, { userID })).id);

  const place = await limiter.container();
  const visible: Record<string, number> = { container: place.id };
  visible['network-device'] = await limiter.device(place.name);
  visible.port = await limiter.port(visible['network-device']);
  visible.ssid = await limiter.ssid(visible['network-device']);
  visible.adapter = await limiter.adapter();
  const before = await limiter.adapter();
  const [{ host_id: hostID } = { host_id: 0 }] = await limiter.sql<{ host_id: number }>(
    'select host_id from adapter where id = $1',
    [visible.adapter],
  );
  visible.host = hostID;
  visible['user-account'] = await account('visible person');
  visible['device-profiling-rule'] = await admin.create(deviceProfilingRule, ruleLike('visible rule'));
  const managed = {
    PORT: await limiter.group('PORT'),
    HOST: await limiter.group('HOST'),
    ADAPTER: await limiter.group('ADAPTER'),
    USER: await limiter.group('USER'),
  };
  visible.group = managed.HOST;
  const mixed = await limiter.group('HOST');
  await limiter.join(managed.PORT, 3, visible.port);
  await limiter.join(managed.HOST, 4, visible.host);
  await limiter.join(managed.ADAPTER, 5, visible.adapter, before);
  await limiter.join(managed.USER, 6, visible['user-account']);
  const permissions = Object.fromEntries(
    model.tables.map(({ declaration }) => [declaration.permission, { view: true } as object]),
  );
  const administrators = await limiter.group('ADMINISTRATOR');
  const caller = await limiter.caller({
    manageByGroups: true,
    permissions: {
      ...permissions,
      devices: selecting(place.id),
      groups: selecting(...Object.values(managed), mixed, administrators),
      [deviceProfilingRule.permission]: selecting(visible['device-profiling-rule']),
    },
  });
  await limiter.manage(caller.accountId, ...Object.values(managed));

  await asOwner(shared.database, async (owner) => {
    for (const { name } of scoped)
      await owner.query(`select setval(pg_get_serial_sequence($1, 'id'), $2)`, [quoted(name), hiddenFrom]);
  });
  const container = await limiter.container();
  const device = await limiter.device(container.name);
  const port = await limiter.port(device);
  await limiter.ssid(device);
  const adapter = await limiter.adapter();
  const person = await account(`${word} person`);
  const rule = await admin.create(deviceProfilingRule, ruleLike(`${word} rule`));
  const group = await limiter.group('HOST');
  const hiddenHost = (
    await limiter.sql<{ id: number }>('select host_id as id from adapter where id = $1', [adapter])
  )[0]!.id;
  await limiter.join(group, 4, visible.host, hiddenHost);
  await limiter.join(mixed, 4, hiddenHost);
  await limiter.nest([group, managed.HOST], [mixed, group]);
  await limiter.sql('insert into group_manages (group_id, managed_id) values ($1, $2)', [administrators, group]);
  for (const name of ['container', 'network_device', 'port', 'ssid', 'group'])
    await limiter.sql(`update ${quoted(name)} set name = '${word} ${name} ' || id where id > $1`, [hiddenFrom]);
  await limiter.sql(`update host set host_name = '${word} host' where id > $1`, [hiddenFrom]);
  // The visible host also has a hidden adapter, a hidden owner, and a hidden user who authenticated on it.
  await limiter.sql('update adapter set physical_address = $2, host_id = $3 where id = $1', [
    adapter,
    hiddenMac,
    hostID,
  ]);
  await limiter.sql('update host set owner_id = $2, authenticated_user_id = $2 where id = $1', [hostID, person]);
  await limiter.sql('update adapter set dpc_rule_id = $2 where id = any($1)', [[visible.adapter, before], rule]);
  await limiter.sql(
    'insert into connection_active (mac, device_id, port_id) select a.physical_address, $2, $3 from adapter a where a.id = $1',
    [visible.adapter, device, port],
  );
  await limiter.sql(
    `insert into connection_last (mac, device_id, port_id, location, since, ended, last_seen)
     select a.physical_address, $2, $3, '${word} place', now(), now(), now() from adapter a where a.id = $1`,
    [before, device, port],
  );

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
