import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { contactLost } from '../../src/device/container/container.events.ts';
import { container } from '../../src/device/container/container.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { world } from '../world/world.ts';
import { instanceNamespace, readXml, tableDifferences } from './seeds/compare.ts';
import {
  aaaServerRecord,
  containerEventNames,
  containerRecord,
  directoryAgentRecord,
  listEnvelope,
  readEnvelope,
  type Table,
  writeEnvelope,
} from './seeds/tables.ts';

type Value = Record<string, unknown>;

type Format = 'json' | 'xml';

interface Answer {
  code: number;
  headers: Headers;
  text: string;
}

describe('the service against the tables of the specification', async () => {
  const { service, admin } = await world();
  await service.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = service.app.server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/api/v2`;
  const authorization = `Bearer ${admin.token}`;

  async function call(method: string, path: string, format: Format, body?: string): Promise<Answer> {
    const headers = { authorization, 'content-type': `application/${format}` };
    const reply = await fetch(base + path, { method, headers, ...(body !== undefined && { body }) });
    return { code: reply.status, headers: reply.headers, text: await reply.text() };
  }

  /** Sends a GET with a body, which `fetch` refuses to send. */
  function getWithBody(path: string, format: Format, body: string): Promise<Value> {
    return new Promise((resolve, reject) => {
      const headers = {
        authorization,
        'content-type': `application/${format}`,
        accept: 'application/json',
        'content-length': Buffer.byteLength(body),
      };
      httpRequest(base + path, { method: 'GET', headers }, (reply) => {
        const pieces: Buffer[] = [];
        reply.on('data', (piece: Buffer) => pieces.push(piece));
        reply.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString())));
        reply.on('error', reject);
      })
        .on('error', reject)
        .end(body);
    });
  }

  /** Reads the envelope of a response in either format, and compares it with the specification. */
  function readEnvelopeOf({ text }: Answer, format: Format, envelope: Table): Value {
    const value = format === 'xml' ? readXml(text, envelope) : JSON.parse(text);
    expect(tableDifferences(value, envelope)).toEqual([]);
    return value as Value;
  }

  async function get(path: string, format: Format, record: Table, counted = true): Promise<Value> {
    const answer = await call('GET', path, format);
    expect(answer.code, answer.text).toBe(200);
    expect(answer.headers.get('content-type')).toBe(`application/${format}; charset=utf-8`);
    const envelope = readEnvelopeOf(answer, format, (counted ? listEnvelope : readEnvelope)(record));
    expect(envelope).toMatchObject({ status: 'success', errorMessage: null });
    return envelope;
  }

  const recordsAt = async (path: string, format: Format, record: Table, counted = true): Promise<Value[]> =>
    (await get(path, format, record, counted)).results as Value[];

  const recordAt = async (path: string, record: Table): Promise<Value> =>
    (await recordsAt(path, 'json', record, false))[0]!;

  /** Sends a write and expects a response of `status` and `errorMessage` only, in either format. */
  async function write(path: string, body: string | Value, format: Format = 'json'): Promise<Answer> {
    const answer = await call('POST', path, format, typeof body === 'string' ? body : JSON.stringify(body));
    expect(answer.code, answer.text).toBeLessThan(300);
    expect(readEnvelopeOf(answer, format, writeEnvelope)).toEqual({ status: 'success', errorMessage: null });
    return answer;
  }

  const create = async (path: string, body: Value): Promise<number> => {
    const answer = await write(path, body);
    expect(answer.code).toBe(201);
    return Number(answer.headers.get('location')!.split('/').at(-1));
  };

  /** Returns the XML of the one record at a path, as the body of a write. */
  async function xmlToSendBack(path: string): Promise<string> {
    const { text } = await call('GET', path, 'xml');
    const inner = text.slice(text.indexOf('<results><item>') + 15, text.lastIndexOf('</item></results>'));
    return `<request xmlns:xsi="${instanceNamespace}">${inner}</request>`;
  }

  const auditRows = async (): Promise<number> => Number((await admin.get('/logging/audit?count=0')).body.total);
  const feedRows = async (): Promise<number> =>
    (await service.runtime.pool.query('select count(*) as rows from change_feed')).rows[0].rows;

  /** Expects that an operation changes neither the record nor the audit log nor the feed. */
  async function changesNothing(path: string, record: Table, work: () => Promise<unknown>): Promise<void> {
    const before = { record: await recordAt(path, record), audit: await auditRows(), feed: await feedRows() };
    await work();
    expect({ record: await recordAt(path, record), audit: await auditRows(), feed: await feedRows() }).toEqual(before);
  }

  const containers = '/device/container';
  const servers = '/settings/integration/aaa';
  const agents = '/settings/agent/directory-agent';

  const campus = await create(containers, {
    name: 'Campus <North> & "Süd"',
    suffix: '.example.net',
    notes: 'line\r\nline\ttab',
    description: 'Größe 𝄞',
    role: 'Guest',
    group: 'L2 Wired Devices',
    pollingInterval: 300,
    attribute: [
      { name: 'floor', value: '3' },
      { name: 'key', value: '' },
    ],
  });
  await create(containers, { name: 'Building 1', parent: 'Campus <North> & "Süd"' });
  await create(containers, { name: 'Building 2', parent: 'Campus <North> & "Süd"' });
  await service.runtime.transact(systemOrigin('test'), async ({ records, emit }) => {
    await records.observe(container, campus, {
      lastPoll: '2026-01-31T08:15:30.123Z',
      lastSuccessfulPoll: '2026-01-31T08:15:30.120Z',
      status: 2,
    });
    const { id } = await records.create(networkDevice, { name: 'north-1', containerID: campus });
    await records.observe(networkDevice, id, { mibs: ['IF-MIB', 'BRIDGE-MIB'] });
    await emit({ type: contactLost, element: { id: campus, name: 'Campus', type: 1 } });
  });
  const server = await create(servers, {
    name: 'radius-north',
    netId: '192.0.2.10',
    secret: 'a-long-shared-secret',
    checkUser: 'probe',
    checkPassword: 'probe-password',
    flrPriority: 3,
    localClientDefault: true,
  });
  await create(servers, { name: 'radius-south', netId: 'radius.example.net', secret: 'another-shared-secret' });
  const agent = await create(agents, {
    name: 'Staff <laptops>',
    scanGraceLength: 1_440,
    addToGroupNames: ['Forced Scan Exceptions', 'Forced Remediation Exceptions'],
  });
  await create(agents, { name: 'Guests' });

  describe('GET /device/container', () => {
    test.each(['json', 'xml'] as const)(
      'returns in %s container records with the fields of the table, typed, and no other',
      async (format) => {
        const envelope = await get(containers, format, containerRecord);
        expect(envelope).toMatchObject({ filtered: 5, total: 5 });
        expect(envelope.results).toHaveLength(5);
      },
    );

    test('has the same content in XML and JSON', async () => {
      expect(await get(containers, 'xml', containerRecord)).toEqual(await get(containers, 'json', containerRecord));
    });

    test('contains the written and the observed values', async () => {
      expect(await recordAt(`${containers}/${campus}`, containerRecord)).toMatchObject({
        role: 'Guest',
        group: 'L2 Wired Devices',
        parent: 'Network',
        notes: 'line\r\nline\ttab',
        description: 'Größe 𝄞',
        status: 2,
        lastPoll: '2026-01-31T08:15:30.123+0000',
        lastSuccessfulPoll: '2026-01-31T08:15:30.120+0000',
        mibs: ['BRIDGE-MIB', 'IF-MIB'],
        attributeNames: ['floor', 'key'],
        attribute: [
          { name: 'floor', value: '3' },
          { name: 'key', value: '' },
        ],
      });
    });

    test('names the four embedded events as the specification does, also those that never happened', async () => {
      for (const record of await recordsAt(containers, 'json', containerRecord)) {
        for (const [field, name] of Object.entries(containerEventNames)) {
          const event = record[field] as Value;
          expect(event).toMatchObject({ name, elementID: record.id, landscape: record.landscape });
          expect(Date.parse(String(event.timeOfEvent).replace('+0000', 'Z'))).toBe(event.time);
        }
      }
      const { lostEvent, destroyEvent } = await recordAt(`${containers}/${campus}`, containerRecord);
      expect(lostEvent).toMatchObject({
        empty: false,
        eventFormatString: expect.stringMatching(/^Contact to .+ lost\.$/),
      });
      expect(destroyEvent).toMatchObject({ empty: true, id: 0, time: 0, eventFormatString: '' });
    });

    test('accepts a container as it was read, in JSON, and changes nothing', async () => {
      for (const record of await recordsAt(containers, 'json', containerRecord)) {
        await changesNothing(`${containers}/${record.id}`, containerRecord, () => write(containers, record));
      }
    });

    test('accepts a container as it was read, in XML, and changes nothing', async () => {
      for (const { id } of await recordsAt(containers, 'json', containerRecord)) {
        const path = `${containers}/${id}`;
        await changesNothing(path, containerRecord, async () => write(containers, await xmlToSendBack(path), 'xml'));
      }
    });

    describe('with list parameters', () => {
      const names = (envelope: Value) => (envelope.results as Value[]).map(({ name }) => name);
      const list = (query: string) => get(`${containers}?${query}`, 'json', containerRecord);
      const building = encodeURIComponent('name==building*');

      test('combines repeated filters by AND, and filtered is then smaller than total', async () => {
        const envelope = await list(`filter=${building}&filter=${encodeURIComponent('name==*2')}`);
        expect(envelope).toMatchObject({ filtered: 1, total: 5 });
        expect(names(envelope)).toEqual(['Building 2']);
      });

      test('skips start records and returns count at most, with the same counts', async () => {
        const envelope = await list('sortKey=name&start=1&count=2');
        expect(envelope).toMatchObject({ filtered: 5, total: 5 });
        expect(names(envelope)).toEqual(['Building 2', 'Campus <North> & "Süd"']);
      });

      test('returns only the counts for count 0', async () => {
        expect(await list(`count=0&filter=${building}`)).toMatchObject({ results: [], filtered: 2, total: 5 });
      });

      test.each(['asc', 'ASC', 'Asc'])('sorts ascending for sortDir %s', async (sortDir) => {
        expect(names(await list(`sortKey=name&sortDir=${sortDir}&filter=${building}`))).toEqual([
          'Building 1',
          'Building 2',
        ]);
      });

      test.each(['desc', 'DESC', 'Desc'])('sorts descending for sortDir %s', async (sortDir) => {
        expect(names(await list(`sortKey=name&sortDir=${sortDir}&filter=${building}`))).toEqual([
          'Building 2',
          'Building 1',
        ]);
      });

      test.each(['desc', 'DESC', 'Desc'])(
        'accepts all five in the JSON body of the GET, sortDir %s',
        async (sortDir) => {
          const filter = ['name==*', 'parent==campus*'];
          const body = JSON.stringify({ filter, start: 1, count: 1, sortKey: 'name', sortDir });
          const envelope = await getWithBody(containers, 'json', body);
          expect(tableDifferences(envelope, listEnvelope(containerRecord))).toEqual([]);
          expect(envelope).toMatchObject({ filtered: 2, total: 5 });
          expect(names(envelope)).toEqual(['Building 1']);
        },
      );

      test('accepts all five in the XML body of the GET', async () => {
        const envelope = await getWithBody(
          containers,
          'xml',
          '<request><filter><item>name==*</item><item>parent==campus*</item></filter><start>1</start><count>1</count>' +
            '<sortKey>name</sortKey><sortDir>DESC</sortDir></request>',
        );
        expect(envelope).toMatchObject({ filtered: 2, total: 5 });
        expect(names(envelope)).toEqual(['Building 1']);
      });

      test('refuses a parameter that does not exist, in the query and in the body', async () => {
        expect(await call('GET', `${containers}?limit=3`, 'json')).toMatchObject({ code: 400 });
        expect(await getWithBody(containers, 'json', '{"limit":3}')).toMatchObject({ status: 'invalid' });
      });
    });
  });

  describe('GET /settings/integration/aaa/count', () => {
    test.each(['json', 'xml'] as const)(
      'returns in %s an envelope of AAA server records with filtered and total',
      async (format) => {
        const all = await get(`${servers}/count`, format, aaaServerRecord);
        expect(all).toEqual({ status: 'success', errorMessage: null, results: [], filtered: 2, total: 2 });
        const filter = encodeURIComponent('name==*-north');
        const some = await get(`${servers}/count?filter=${filter}`, format, aaaServerRecord);
        expect(some).toMatchObject({ filtered: 1, total: 2 });
      },
    );

    test('lists the fields of the table and no other, the same in JSON and XML, and no secret', async () => {
      const json = await get(servers, 'json', aaaServerRecord);
      expect(await get(servers, 'xml', aaaServerRecord)).toEqual(json);
      expect(json.results).toHaveLength(2);
      expect(JSON.stringify(json)).not.toMatch(/shared-secret|probe-password/);
    });

    test('accepts an AAA server as it was read, in JSON and in XML, and changes nothing', async () => {
      const path = `${servers}/${server}`;
      for (const target of [servers, path]) {
        const record = await recordAt(path, aaaServerRecord);
        await changesNothing(path, aaaServerRecord, () => write(target, record));
        await changesNothing(path, aaaServerRecord, async () => write(target, await xmlToSendBack(path), 'xml'));
      }
    });
  });

  describe('POST /settings/agent/directory-agent', () => {
    test('returns the record with the fields of the table, typed, and no other, the same in JSON and XML', async () => {
      const json = await get(agents, 'json', directoryAgentRecord);
      expect(await get(agents, 'xml', directoryAgentRecord)).toEqual(json);
      const [first, second] = json.results as Value[];
      expect(first!.addGroupList).toEqual(first!.addGroupListCopy);
      expect(first!.addGroupList).toMatchObject([
        { addGroupName: 'Forced Scan Exceptions', config: 'Staff <laptops>' },
        { addGroupName: 'Forced Remediation Exceptions', config: 'Staff <laptops>' },
      ]);
      expect(first!.addToGroupIDs).toEqual((first!.addGroupList as Value[]).map(({ addGroupID }) => addGroupID));
      expect(second).toMatchObject({ addGroupList: [], addToGroupIDs: [], appliedGroupName: '', policyName: '' });
      expect(first!.auditObj).toMatchObject({ action: 'ADD', liveDBID: agent, timestamp: first!.lastModifiedDate });
    });

    test('creates from the full record of the table, and ignores the values of read-only fields', async () => {
      const full = await recordAt(`${agents}/${agent}`, directoryAgentRecord);
      const answer = await write(agents, { ...full, dbid: 0, rank: 0, name: 'Copy in JSON' });
      expect(answer.code).toBe(201);
      expect(answer.headers.get('location')).toMatch(/^\/api\/v2\/settings\/agent\/directory-agent\/\d+$/);
      const created = await recordAt(answer.headers.get('location')!.slice('/api/v2'.length), directoryAgentRecord);
      expect(created).toMatchObject({ name: 'Copy in JSON', version: 1, rank: 3, scanGraceLength: 1_440 });
      expect(created.addToGroupNames).toEqual(full.addToGroupNames);
    });

    test('creates from XML too', async () => {
      const xml = (await xmlToSendBack(`${agents}/${agent}`))
        .replace(/<dbid>\d+<\/dbid>/, '<dbid xsi:nil="true"/>')
        .replace(/<rank>\d+<\/rank>/, '')
        .replace('<name>Staff &lt;laptops&gt;</name>', '<name>Copy in XML</name>');
      const answer = await write(agents, xml, 'xml');
      expect(answer.code).toBe(201);
      const created = await recordAt(answer.headers.get('location')!.slice('/api/v2'.length), directoryAgentRecord);
      expect(created).toMatchObject({ name: 'Copy in XML', version: 1, debug: false });
    });

    test.each(['json', 'xml'] as const)('updates in %s when the dbid exists already', async (format) => {
      const path = `${agents}/${agent}`;
      const before = await recordAt(path, directoryAgentRecord);
      const { total } = await get(agents, 'json', directoryAgentRecord);
      const answer =
        format === 'json'
          ? await write(agents, { dbid: agent, scanGraceLength: 30 })
          : await write(
              agents,
              `<request><dbid>${agent}</dbid><scanGraceLength>60</scanGraceLength></request>`,
              format,
            );
      expect(answer.code).toBe(200);
      const after = await recordAt(path, directoryAgentRecord);
      expect(after).toMatchObject({
        version: Number(before.version) + 1,
        scanGraceLength: format === 'json' ? 30 : 60,
        name: before.name,
        addGroupList: before.addGroupList,
        yamsEventTag: 'DIRECTORY_AGENT_CONFIG_MODIFIED',
      });
      expect(await get(agents, 'json', directoryAgentRecord)).toMatchObject({ total });
    });

    test('accepts a record as it was read, in JSON and in XML, and changes nothing', async () => {
      for (const { dbid } of await recordsAt(agents, 'json', directoryAgentRecord)) {
        const path = `${agents}/${dbid}`;
        const record = await recordAt(path, directoryAgentRecord);
        for (const target of [agents, path]) {
          await changesNothing(path, directoryAgentRecord, () => write(target, record));
          await changesNothing(path, directoryAgentRecord, async () => write(target, await xmlToSendBack(path), 'xml'));
        }
      }
    });

    test.each(['json', 'xml'] as const)('returns an error in %s with status and errorMessage only', async (format) => {
      const body = format === 'json' ? '{"name":""}' : '<request><name/></request>';
      const answer = await call('POST', agents, format, body);
      expect(answer.code).toBe(400);
      expect(readEnvelopeOf(answer, format, writeEnvelope)).toEqual({
        status: 'invalid',
        errorMessage: 'name: must not be empty.',
      });
    });
  });

  test('every operation refuses a call without a token, with the envelope', async () => {
    for (const path of [containers, `${servers}/count`, agents]) {
      const reply = await fetch(base + path, path === agents ? { method: 'POST', body: '{}' } : {});
      expect(reply.status).toBe(401);
      expect(tableDifferences(await reply.json(), writeEnvelope)).toEqual([]);
    }
  });
});
