import { beforeAll, describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { readXml, tableDifferences } from '../../../test/surface/seeds/compare.ts';
import { deviceProfilingRuleRecord, listEnvelope } from '../../../test/surface/seeds/tables.ts';
import { world as startWorld } from '../../../test/world/world.ts';
import { container } from '../../device/container/container.ts';
import { mdmServer } from '../../integration/mdm-server/mdm-server.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { secretPlace } from '../../kernel/write/secrets.ts';
import { deviceType } from '../../network/device-type/device-type.ts';
import { group as groupOf } from '../../system/group/group.ts';
import { deviceProfilingRule, type Method } from './device-profiling-rule.ts';

describe('device profiling rule', async () => {
  const world = await startWorld();
  const { admin, service, logged } = world;
  const { runtime } = service;
  const path = '/host/device-profiling-rule';
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  let ruleCount = 0;
  const rule = (overrides: Record<string, unknown> = {}) => ({
    name: `rule ${++ruleCount}`,
    type: { tag: 'printer' },
    ...overrides,
  });
  const create = (overrides?: Record<string, unknown>) => admin.create(deviceProfilingRule, rule(overrides));
  const fetch = (id: number) => admin.fetch(deviceProfilingRule, id);
  const methodsOf = async (id: number) => (await fetch(id)).methods as Method[];
  const all = async () => (await admin.get(path)).body.results!;
  const catchAll = async () =>
    (await admin.get<{ id: number; rank: number }>(`${path}?filter=catchAll==true`)).body.results![0]!;
  const ssh = (password: string) => ({ methodType: { shortName: 'SSH' }, data: { userName: 'probe', password } });
  let hosts: number;

  beforeAll(async () => {
    hosts = (await transact(({ records }) => records.create(groupOf, { name: 'Printers', type: 'HOST' }))).id;
  });

  testCollection(deviceProfilingRule, {
    world,
    behind: 1,
    sample: (n) => ({
      name: `Printers ${n}`,
      type: { tag: 'printer' },
      role: 'NAC-Default',
      description: `Number ${n}`,
      tags: ['print'],
      methods: [
        { methodType: { id: 1 }, data: { filters: [{ field: 'vendorName', value: 'Zebra*' }] } },
        { methodType: { shortName: 'TCP' }, data: { ports: '515,9100', mode: 'ANY' } },
      ],
      weeklySchedule: { alwaysOn: false, startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 },
      failedValidationAction: { disable: true },
    }),
  });

  test('is created disabled and can be enabled afterwards; creating an enabled rule is refused', async () => {
    const reply = await admin.post(path, rule({ enabled: true }));
    expect(reply.body).toMatchObject({
      status: 'rejected',
      errorMessage: 'enabled: a new rule is disabled; create it, then enable it.',
    });
    const id = await create({ enabled: false });
    expect((await admin.post(`${path}/${id}`, { enabled: true })).code).toBe(200);
    expect(await fetch(id)).toMatchObject({ enabled: true });
  });

  test('limits its hosts to the hours of a schedule that is sent without alwaysOn', async () => {
    const weeklySchedule = { startTimeOfDay: 480, endTimeOfDay: 1_080, daysOfWeek: 62 };
    const id = await create({ weeklySchedule });
    expect(await fetch(id)).toMatchObject({ weeklySchedule: { ...weeklySchedule, alwaysOn: false } });
    const reply = await admin.post(`${path}/${id}`, { weeklySchedule: { startTimeOfDay: 600, endTimeOfDay: 600 } });
    expect([reply.code, reply.body.errorMessage]).toEqual([
      400,
      expect.stringContaining('weeklySchedule: never holds'),
    ]);
  });

  test('is found by its group, or by 0 if it has no group', async () => {
    await create({ groupId: hosts });
    const records = await all();
    const without = records.filter(({ groupId }) => groupId === 0).length;
    const counts: [operator: string, number][] = [
      [`==${hosts}`, records.length - without],
      [`!=${hosts}`, without],
      ['==0', without],
      ['!=0', records.length - without],
      [`=in=(0,${hosts})`, records.length],
      [`=out=(0,${hosts})`, 0],
      [`=in=(999999999,${hosts})`, records.length - without],
      [`<${hosts}`, without],
      ['=isnull=true', without],
    ];
    for (const [operator, count] of counts) {
      const { filtered } = (await admin.get(`${path}/count?filter=${encodeURIComponent(`groupId${operator}`)}`)).body;
      expect(filtered, operator).toBe(count);
    }
  });

  test('has the typed fields of the specification in their order, in JSON and in XML', async () => {
    await create({
      methods: [ssh('hush')],
      groupId: hosts,
      addToGroup: true,
      tags: ['a', 'b'],
      name: 'Größe <x> & "y"',
    });
    const envelope = listEnvelope(deviceProfilingRuleRecord);
    const json = (await admin.get(path)).body;
    expect(tableDifferences(json, envelope)).toEqual([]);
    const { text } = await admin.get(path, { 'content-type': 'application/xml' });
    const xml = readXml(text, envelope) as typeof json;
    expect(tableDifferences(xml, envelope)).toEqual([]);
    // The specification does not define the properties of data, so they have no types here.
    const typed = ({ results, ...rest }: typeof json) => ({
      ...rest,
      results: results!.map(({ methods, ...record }) => ({
        ...record,
        methods: (methods as Method[]).map(({ data: _, ...method }) => method),
      })),
    });
    expect(typed(xml)).toEqual(typed(json));
    expect((await admin.get(`${path}/count/all`)).body).toEqual({
      status: 'success',
      errorMessage: null,
      results: [],
      filtered: json.results!.length,
      total: json.results!.length,
    });
  });

  describe('the shipped rules', () => {
    test('match the guide: all disabled, followed by the enabled catch-all', async () => {
      const shipped = (await all()).filter(({ lastModifiedBy }) => lastModifiedBy === 'system');
      expect(shipped.map(({ name, methodSummaryString }) => `${name}: ${methodSummaryString}`)).toEqual([
        'Printer: OUI, TCP 9100',
        'IP Phone: LLDP',
        'IP Phone by DHCP: DHCP',
        'Camera: OUI, TCP 554',
        'Access Point: LLDP',
        'UPS: SNMP',
        'Badge Reader: OUI',
        'Medical Device: OUI',
        'Industrial Controller: TCP 502,44818',
        'Game Console: OUI, DHCP',
        'Smart TV: DHCP, UA',
        'Mobile: UA',
        'Windows Workstation: DHCP',
        'macOS Workstation: DHCP',
        'Linux Workstation: DHCP',
        'Catch All: ',
      ]);
      for (const { state, enabled, catchAll: isLast } of shipped)
        expect([enabled, state]).toEqual(isLast ? [true, 'ACTIVE'] : [false, 'DISABLED']);
      expect(shipped.at(-1)).toMatchObject({ catchAll: true, rank: (await all()).length, methods: [] });
    });

    test('are stored as a write would store them', async () => {
      for (const record of (await all()).filter(({ lastModifiedBy }) => lastModifiedBy === 'system')) {
        const reply = await admin.post(path, record);
        expect(reply, `${record.name}: ${reply.text}`).toMatchObject({ code: 200, headers: { etag: '"1"' } });
        const { id, methods } = record as { id: number; methods: Method[] };
        const bare = methods.map(({ methodType, data }) => ({ methodType: { id: methodType.id }, data }));
        expect((await admin.post(`${path}/${id}`, { methods: bare })).headers.etag, String(record.name)).toBe('"1"');
      }
    });

    test('count as uses of their device types', async () => {
      const { results } = (await admin.get(`${deviceType.path}?filter=tag==camera`)).body;
      const { id } = results![0] as { id: number };
      expect((await admin.get(`${deviceType.path}/${id}/usage`)).body.results).toEqual([
        { name: 'Device profiling rule', children: ['Camera'] },
      ]);
    });
  });

  describe('the catch-all', () => {
    test('cannot be moved, deleted or given methods', async () => {
      const { id, rank } = await catchAll();
      const otherRule = await create();
      const tcp = { methodType: { shortName: 'TCP' }, data: { ports: '80' } };
      for (const reply of [
        await admin.post(`${path}/${id}`, { rank: 1 }),
        await admin.post(`${path}/${id}`, { methods: [tcp] }),
        await admin.delete(`${path}/${id}`),
        await admin.post(`${path}/${id}/delete`),
        await admin.post(`${path}/delete`, { id: [otherRule, id] }),
        await admin.post(`${path}/swap-rule-ranks`, { id: [id, otherRule] }),
        await admin.post(`${path}/swap-rule-ranks`, { id: [otherRule, id] }),
      ])
        expect(reply, reply.text).toMatchObject({ code: 409, body: { status: 'protected' } });
      expect(await catchAll()).toMatchObject({ id, rank: rank + 1 });
    });

    test('stays last: a new rule is placed above it, and no rule can be moved below it', async () => {
      const { rank: last } = await catchAll();
      const id = await create();
      expect(await fetch(id)).toMatchObject({ rank: last, enabled: false, state: 'DISABLED' });
      expect((await admin.post(`${path}/${id}`, { rank: last + 1 })).body).toMatchObject({
        status: 'rejected',
        errorMessage: `rank: the catch-all rule stays last, so the highest rank allowed is ${last}.`,
      });
      expect((await admin.post(path, rule({ rank: last + 2 }))).code).toBe(422);
      expect(await fetch(await create({ rank: last + 1 }))).toMatchObject({ rank: last + 1 });
      expect(await catchAll()).toMatchObject({ rank: last + 2 });
    });

    test('can be changed otherwise, and no second one can be created', async () => {
      const { id } = await catchAll();
      expect((await admin.post(`${path}/${id}`, { description: 'What is left.' })).code).toBe(200);
      const another = await create({ catchAll: true });
      expect(await fetch(another)).toMatchObject({ catchAll: false });
    });
  });

  describe('type', () => {
    test('is found by id or tag, and shows the current device type', async () => {
      const id = await transact(
        async ({ records }) =>
          (await records.create(deviceType, { name: 'Kiosk', tag: 'kiosk', category: 'OTHER' })).id,
      );
      const byTag = await create({ type: { tag: 'KIOSK' } });
      const byId = await create({ type: { id } });
      const shown = { name: 'Kiosk', tag: 'kiosk', imageFile: expect.any(String), id };
      expect([(await fetch(byTag)).type, (await fetch(byId)).type]).toEqual([shown, shown]);
      await transact(({ records }) => records.update(deviceType, id, { name: 'Information kiosk' }));
      const record = await fetch(byId);
      expect(record).toMatchObject({ version: 1, type: { name: 'Information kiosk' } });
      expect((await admin.post(path, record)).headers.etag).toBe('"1"');
      const filter = encodeURIComponent('type.name==information*');
      expect((await admin.get(`${path}/count?filter=${filter}`)).body.filtered).toBe(2);
      expect((await admin.delete(`${deviceType.path}/${id}`)).body.status).toBe('in-use');
    });

    test('is required and must exist', async () => {
      const refused: [number, unknown][] = [
        [400, {}],
        [400, { name: 'Printer' }],
        [422, { tag: 'no-such-type' }],
        [422, { id: 999_999_999 }],
        [422, { id: 999_999_999, tag: 'printer' }],
      ];
      for (const [code, type] of refused)
        expect((await admin.post(path, rule({ type }))).code, JSON.stringify(type)).toBe(code);
    });
  });

  describe('secrets inside methods', () => {
    const cellOf = async (id: number) =>
      (await runtime.pool.query('select methods from device_profiling_rule where id = $1', [id])).rows[0]
        .methods as Method[];
    const opened = async (id: number, index = 0) =>
      runtime.engine.secrets.open(
        runtime.pool,
        Buffer.from(String((await cellOf(id))[index]!.data.password), 'base64'),
        secretPlace('device_profiling_rule', 'methods', id),
      );

    test('are stored encrypted, shown masked, and absent from logs, audit rows and responses', async () => {
      const id = await create({
        methods: [
          ssh('hush-ssh-1'),
          {
            methodType: { shortName: 'SNMP' },
            data: {
              oid: '1.3.6.1.2.1.1.1.0',
              version: 'V3',
              credentials: { userName: 'probe', authenticationPassword: 'hush-auth-1', privacyPassword: '' },
            },
          },
        ],
      });
      const methods = await methodsOf(id);
      expect(methods[0]).toMatchObject({ encrypted: true, data: { userName: 'probe', password: '•••' } });
      expect(methods[1]!.data.credentials).toEqual({
        userName: 'probe',
        authenticationPassword: '•••',
        privacyPassword: '',
      });
      expect(await opened(id)).toBe('hush-ssh-1');
      await admin.post(`${path}/${id}`, { methods: [ssh('hush-ssh-2')] }, { 'idempotency-key': 'profiling-secret' });
      expect((await admin.post(`${path}?dryRun=true`, rule({ methods: [ssh('hush-dry')] }))).text).not.toContain(
        'hush',
      );
      const rows = await Promise.all(
        ['device_profiling_rule', 'audit_record', 'event', 'change_feed', 'idempotency_key', 'reference'].map((table) =>
          runtime.pool.query(`select r::text as row from ${table} r`),
        ),
      );
      const everything = [
        (await admin.get(path)).text,
        (await admin.get(path, { 'content-type': 'application/xml' })).text,
        (await admin.get('/logging/audit')).text,
        logged.join(''),
        ...rows.flatMap((result) => result.rows.map(({ row }) => row)),
      ].join('\n');
      expect(everything).not.toContain('hush');
      expect((await admin.get(`${path}?filter=methods.data.password==x`)).code).toBe(400);
    });

    test('are kept when the mask is sent back, also if the method was moved', async () => {
      const id = await create({ methods: [ssh('hush-kept')] });
      const [method] = await methodsOf(id);
      const sealed = (await cellOf(id))[0]!.data.password;
      expect((await admin.post(`${path}/${id}`, { methods: [method] })).headers.etag).toBe('"1"');
      // Sending the same text is not a change.
      expect((await admin.post(`${path}/${id}`, { methods: [ssh('hush-kept')] })).headers.etag).toBe('"1"');
      const http = { methodType: { shortName: 'HTTP' }, data: { match: ['x'], password: 'hush-http' } };
      expect((await admin.post(`${path}/${id}`, { methods: [ssh('hush-kept'), http] })).headers.etag).toBe('"2"');
      const moved = (await methodsOf(id)).toReversed();
      expect((await admin.post(`${path}/${id}`, { methods: moved })).headers.etag).toBe('"3"');
      expect((await cellOf(id))[1]!.data.password).toBe(sealed);
      expect([await opened(id, 0), await opened(id, 1)]).toEqual(['hush-http', 'hush-kept']);
      const [stored] = await methodsOf(id);
      expect(stored!.data.password).toBe('•••');
    });

    test('are replaced by a new text with one audit row that masks it, and cleared by an empty text', async () => {
      const id = await create({ methods: [ssh('hush-one')] });
      expect((await admin.post(`${path}/${id}`, { methods: [ssh('hush-two')] })).headers.etag).toBe('"2"');
      expect(await opened(id)).toBe('hush-two');
      const { results } = (
        await admin.get(`/logging/audit?filter=liveDBID==${id};auditObjectType.dbTableName==device_profiling_rule`)
      ).body;
      expect(results).toHaveLength(2);
      expect(results![0]!.changes).toMatchObject([
        { field: 'methods', before: expect.stringContaining('•••'), after: expect.stringContaining('•••') },
      ]);
      await admin.post(`${path}/${id}`, { methods: [ssh('')] });
      expect((await methodsOf(id))[0]).toMatchObject({ encrypted: false, data: { password: '' } });
    });

    test('cannot be kept if none is stored', async () => {
      expect((await admin.post(path, rule({ methods: [ssh('•••')] }))).body).toMatchObject({
        status: 'rejected',
        errorMessage: 'methods[0].data.password: no secret is stored, so ••• cannot keep it; send the secret.',
      });
      const id = await create({ methods: [ssh('')] });
      expect((await admin.post(`${path}/${id}`, { methods: [ssh('•••')] })).code).toBe(422);
    });
  });

  describe('references inside methods', () => {
    const location = (data: Record<string, unknown>) => ({ methods: [{ methodType: { shortName: 'LOC' }, data }] });

    test('lose a deleted container, and make a rule without any container invalid', async () => {
      const [a, b] = [await admin.create(container, { name: 'East' }), await admin.create(container, { name: 'West' })];
      const tcp = { methodType: { shortName: 'TCP' }, data: { ports: '80' } };
      const methods = [tcp, ...location({ containerIDs: [a, b] }).methods];
      const id = await create({ name: 'by place', methods });
      expect((await admin.post(`${path}/${id}`, { enabled: true })).code).toBe(200);
      expect((await admin.get(`${container.path}/${a}/usage`)).body.results).toEqual([
        { name: 'Device profiling rule', children: ['by place'] },
      ]);
      expect((await admin.delete(`${container.path}/${a}`)).code).toBe(200);
      expect(await fetch(id)).toMatchObject({ version: 3, state: 'ACTIVE' });
      expect((await methodsOf(id)).map(({ data }) => data)).toEqual([
        { ports: '80', mode: 'ALL' },
        { containerIDs: [b] },
      ]);
      expect((await admin.delete(`${container.path}/${b}`)).code).toBe(200);
      expect(await fetch(id)).toMatchObject({ version: 4, state: 'INVALID' });
      const { rows } = await runtime.pool.query(
        `select e.event_format_string as text from event e where e.name = 'PROFILING_RULE_INVALID' and e.element_id = $1`,
        [id],
      );
      expect(rows).toEqual([
        { text: 'Device profiling rule by place is skipped: a reference or a secret is missing.' },
      ]);
    });

    test('require groups of the right type, and prevent their deletion', async () => {
      const device = (await transact(({ records }) => records.create(groupOf, { name: 'Switches', type: 'DEVICE' })))
        .id;
      await create({ name: 'by group', ...location({ deviceGroupIDs: [device] }) });
      await expect(transact(({ records }) => records.remove(groupOf, [device]))).rejects.toMatchObject({
        word: 'in-use',
      });
      for (const data of [{ portGroupIDs: [device] }, { deviceGroupIDs: [hosts] }, { containerIDs: [999_999_999] }])
        expect((await admin.post(path, rule(location(data)))).code, JSON.stringify(data)).toBe(422);
      expect((await admin.post(path, rule({ groupId: device }))).code).toBe(422);
    });

    test('show the rule as a use of its MDM server, and require an existing server and address group', async () => {
      const mdm = { methodType: { shortName: 'MDM' } };
      const id = (
        await transact(({ records }) =>
          records.create(mdmServer, { name: 'Phones', pluginName: 'JAMF_PRO', request: 'https://mdm.example.org' }),
        )
      ).id;
      await create({ name: 'by MDM', methods: [{ ...mdm, data: { mdmID: id, compliant: true } }] });
      expect((await admin.get(`/settings/integration/mdm/${id}/usage`)).body.results).toEqual([
        { name: 'Device profiling rule', children: ['by MDM'] },
      ]);
      expect((await admin.post(path, rule({ methods: [{ ...mdm, data: { mdmID: 999_999_999 } }] }))).code).toBe(422);
      const range = { methodType: { shortName: 'IP' }, data: { addressGroupID: 5 } };
      expect((await admin.post(path, rule({ methods: [range] }))).code).toBe(422);
    });
  });

  test('returns its usage by POST without changing anything', async () => {
    const id = await create();
    const viewer = await world.caller({ 'device-profiling': ['view'] });
    for (const body of [undefined, { anything: true }])
      expect(await viewer.post(`${path}/${id}/usage`, body)).toMatchObject({ code: 200, body: { results: [] } });
    expect((await viewer.post(`${path}/${id}/usage?dryRun=true`)).code).toBe(400);
    expect((await viewer.get(`${path}/${id}/usage`)).code).toBe(405);
  });

  test('has a state that follows its fields', async () => {
    const id = await create({ addToGroup: true });
    expect((await admin.post(`${path}/${id}/enable`)).code).toBe(200);
    expect(await fetch(id)).toMatchObject({
      enabled: true,
      state: 'INVALID',
      modifyAuditSummary: expect.stringContaining('enabled'),
    });
    await admin.post(`${path}/${id}`, { groupId: hosts });
    expect(await fetch(id)).toMatchObject({ state: 'ACTIVE', groupId: hosts });
    await admin.post(`${path}/${id}/disable`);
    expect(await fetch(id)).toMatchObject({
      state: 'DISABLED',
      guid: 0,
      globalModifiedDate: '1970-01-01T00:00:00.000Z',
    });
  });

  test('accepts a part of the action after a failed validation', async () => {
    const id = await create({ failedValidationAction: { version: 3 } });
    expect((await fetch(id)).failedValidationAction).toEqual({ disable: false, version: 3 });
    await admin.post(`${path}/${id}`, { failedValidationAction: { disable: true } });
    expect((await fetch(id)).failedValidationAction).toEqual({ disable: true, version: 3 });
  });
});
