import { expect, test } from 'vitest';
import type { Collection } from '../../../src/kernel/declare/declaration.ts';
import { runScript } from '../../surface/schema-drift.ts';
import { type Body, fieldsOf, type TestedDeclaration, type Trial } from './trial.ts';
import type { fitting } from './values.ts';

type GetTrial = () => Trial;

/** Tests that every change has one audit row, written in its transaction. */
export function testAuditRows(getTrial: GetTrial): void {
  test('every change is one audit row with its user, fields and address', async () => {
    const t = getTrial();
    const { label } = t.declaration;
    const { id, record } = await t.create();
    const change = t.change();
    const updated = await t.update(id, change);
    const currentLabel = (await t.fetch(id))[label];
    const deleted = await t.remove(id);
    const rows = await t.audit(id);
    expect(rows.map(({ action }) => action)).toEqual(['ADD', 'MODIFY', 'DELETE']);
    const [added, modified, removed] = rows as [Body, Body, Body];
    expect(added).toMatchObject({ auditObjectName: record[label], method: 'POST', path: `/api/v2${t.savePath}` });
    const isWritten = t.declaration.fields[label]!.access === 'write';
    if (isWritten) expect(changesOf(added)[label]).toEqual({ before: null, after: record[label] });
    const [field, value] = Object.entries(change)[0]!;
    expect(changesOf(modified)).toMatchObject({ [field]: { before: asText(record[field]), after: asText(value) } });
    expect(modified.requestID).toBe(updated.headers['x-request-id']);
    expect(removed.requestID).toBe(deleted.headers['x-request-id']);
    if (isWritten) expect(changesOf(removed)[label]).toEqual({ before: currentLabel, after: null });
    const [{ user, token }] = (await t.sql<{ user: string; token: string }>(
      'select a.user_id as user, k.name as token from user_account a join api_token k on k.account_id = a.id where k.public_id = $1',
      [t.admin.token.split('_')[1]],
    )) as [{ user: string; token: string }];
    for (const row of rows) expect(row).toMatchObject({ user, tokenName: token, sourceAddress: '127.0.0.1' });
  });

  test('a refused write leaves no audit row, event or feed entry', async () => {
    const t = getTrial();
    const { id } = await t.create();
    await t.expectNoChange(async () => {
      expect((await t.update(id, t.change(), { 'if-match': '"9"' })).code).toBe(412);
      expect((await t.update(id, { ...t.change(), noSuchField: 1 })).code).toBe(400);
    });
  });

  test('a change that cannot be audited does not happen', async () => {
    const t = getTrial();
    const { id } = await t.create();
    const [body, change] = [t.sample(), t.change()];
    await runScript(t.world.database, 'revoke insert on audit_record from portreeve_service');
    try {
      await t.expectNoChange(async () => {
        for (const reply of [await t.admin.post(t.savePath, body), await t.update(id, change), await t.remove(id)])
          expect(reply).toMatchObject({ code: 500, body: { status: 'error' } });
      });
    } finally {
      await runScript(t.world.database, 'grant insert on audit_record to portreeve_service');
    }
    expect((await t.update(id, change)).code).toBe(200);
  });
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const changesOf = (row: Body): Record<string, { before: string | null; after: string | null }> =>
  Object.fromEntries(
    (row.changes as { field: string; before: string | null; after: string | null }[]).map(
      ({ field, before, after }) => [field, { before, after }],
    ),
  );

/** Tests that changes are reported by the resource's own event types. */
export function testEvents(getTrial: GetTrial, declaration: Collection): void {
  test('creating, changing and deleting are three events, each of a declared type', async () => {
    const t = getTrial();
    const { noun, destroyed, elementType } = declaration.events;
    const { id, record } = await t.create();
    await t.update(id, t.change());
    await t.remove(id);
    const filter = encodeURIComponent(`elementType==${elementType};elementID==${id};name==${noun}_*`);
    const { results } = (await t.admin.get(`/logging/event?sortKey=id&filter=${filter}`)).body;
    expect(results!.map(({ name }) => name)).toEqual([`${noun}_CREATED`, `${noun}_MODIFIED`, `${noun}_${destroyed}`]);
    expect(results![0]!.eventFormatString).toBe(`${t.declaration.title} ${record[t.declaration.label]} created.`);
    const types = await t.sql<{ id: number; category: string }>(
      'select t.id, t.category from event_type t where t.name = any($1) order by array_position($1, t.name)',
      [results!.map(({ name }) => name)],
    );
    expect(results!.map(({ eventTypeID, category }) => ({ id: eventTypeID, category }))).toEqual(types);
  });

  test('every change is in the feed, in the order of versions', async () => {
    const t = getTrial();
    const { id } = await t.create();
    await t.update(id, t.change());
    await t.remove(id);
    const feed = await t.sql<{ change: string; version: number }>(
      'select f.change, f.version from change_feed f where f.table_name = $1 and f.record_id = $2 order by f.seq',
      [t.table.name, id],
    );
    expect(feed).toEqual([
      { change: 'added', version: 1 },
      { change: 'modified', version: 2 },
      { change: 'removed', version: 2 },
    ]);
  });
}

/** Tests that a secret is never returned. */
export function testSecrets(getTrial: GetTrial, declaration: Collection): void {
  const secrets = fieldsOf(declaration, ({ access }) => access === 'secret');
  if (secrets.length === 0) return;
  let secretCount = 0;
  const words = () =>
    Object.fromEntries(secrets.map(([name, { shape }]) => [name, secretText(name, shape, ++secretCount)]));

  test('secrets are in no response, no log line and no row as plain text', async () => {
    const t = getTrial();
    const [first, second] = [words(), words()];
    const { id } = await t.create(first);
    const key = { 'idempotency-key': `secret-${declaration.name}` };
    expect((await t.update(id, second, key)).code).toBe(200);
    expect((await t.admin.post(`${t.savePath}?dryRun=true`, { ...t.sample(), ...words() })).text).not.toContain('hush');
    await t.update(id, { ...second, noSuchField: 1 });
    const answers = [
      (await t.list('')).text,
      (await t.admin.get(t.path, { 'content-type': 'application/xml' })).text,
      (await t.admin.get(t.one(id))).text,
      ...(t.showsUsage ? [(await t.usage(id)).text] : []),
      JSON.stringify(await t.audit(id)),
      t.world.logged.join(''),
      ...(await everyRow(t)),
    ].join('\n');
    for (const text of [...Object.values(first), ...Object.values(second)]) {
      expect(answers.includes(text), text).toBe(false);
      expect(answers.includes(Buffer.from(text).toString('hex')), text).toBe(false);
    }
    for (const [name, text] of Object.entries(second)) expect(await t.secretOf(id, name)).toBe(text);
  });

  test('a change of a secret is audited without its value', async () => {
    const t = getTrial();
    const { id } = await t.create(words());
    await t.update(id, words());
    const rows = await t.audit(id);
    expect(rows).toHaveLength(2);
    for (const [name] of secrets) expect(changesOf(rows[1]!)[name]).toEqual({ before: '•••', after: '•••' });
  });

  test('a secret that is absent or null stays, and an empty one is cleared or refused', async () => {
    const t = getTrial();
    const secretValues = words();
    const { id } = await t.create(secretValues);
    const nulls = Object.fromEntries(secrets.map(([name]) => [name, null]));
    await t.update(id, t.change());
    await t.expectNoChange(async () => expect((await t.update(id, nulls)).code).toBe(200));
    for (const [name] of secrets) {
      expect(await t.secretOf(id, name)).toBe(secretValues[name]);
      const { code } = await t.update(id, { [name]: '' });
      expect([200, 400]).toContain(code);
      expect(await t.secretOf(id, name)).toBe(code === 200 ? '' : secretValues[name]);
    }
  });

  test('a filter or sort by a secret is refused like one by an unknown field', async () => {
    const t = getTrial();
    for (const [name] of secrets) {
      const message = async (query: string) => {
        const reply = await t.admin.get(`${t.path}?${query}`);
        expect(reply.code).toBe(400);
        return String(reply.body.errorMessage);
      };
      /** Returns the error message for a name, without the hint behind it, which depends on the letters of the name. */
      const messageWithoutName = async (query: string, word: string) => {
        const [sentence, hint] = (await message(query)).split(/;(.*)/s);
        // Whole words only: `passwordSet` is a visible field.
        expect(hint).not.toMatch(new RegExp(`\\b${name}\\b`));
        return sentence!.replaceAll(new RegExp(`\\b${word}\\b`, 'g'), '…');
      };
      expect(await messageWithoutName(`filter=${name}==x`, name)).toBe(
        await messageWithoutName('filter=noSuch==x', 'noSuch'),
      );
      expect(await messageWithoutName(`sortKey=${name}`, name)).toBe(
        await messageWithoutName('sortKey=noSuch', 'noSuch'),
      );
    }
  });

  test('the same secret in two records is stored differently', async () => {
    const t = getTrial();
    const same = words();
    const [a, b] = [await t.create(same), await t.create(same)];
    for (const [name] of secrets) {
      const rows = await t.sql<{ sealed: Buffer }>(
        `select ${t.column(name)} as sealed from "${t.table.name}" where id in ($1, $2)`,
        [a.id, b.id],
      );
      expect(rows[0]!.sealed.equals(rows[1]!.sealed)).toBe(false);
    }
  });
}

const secretText = (name: string, shape: Parameters<typeof fitting>[0], n: number): string =>
  `hush-${name}-${n}-${'z'.repeat(Math.max(0, ('min' in shape ? (shape.min ?? 0) : 0) - 8))}`;

/** Returns every row that a write could have stored a text in. */
async function everyRow(t: Trial): Promise<string[]> {
  const tables = [`"${t.table.name}"`, 'audit_record', 'event', 'latest_event', 'change_feed', 'idempotency_key'];
  const rows = await Promise.all(
    tables.map((table) => t.sql<{ row: string }>(`select r::text as row from ${table} r`)),
  );
  return rows.flat().map(({ row }) => row);
}

/** Tests that a client that acknowledges changes gets every change once. */
export function testMonitors(getTrial: GetTrial, declaration: TestedDeclaration): void {
  if (!declaration.patterns.includes('monitor')) return;

  interface Entry {
    position: string;
    change: string;
    record: Body;
  }

  async function start(t: Trial, body?: unknown) {
    const reply = await t.admin.post(`${t.path}/monitor/start`, body);
    expect(reply, reply.text).toMatchObject({ code: 201 });
    const [{ id }] = reply.body.results as [{ id: number }];
    expect(reply.headers.location).toBe(`/api/v2${t.path}/monitor/${id}`);
    return {
      id,
      poll: async (position?: string) => {
        const query = position === undefined ? '' : `?position=${position}`;
        const polled = await t.admin.get(`${t.path}/monitor/${id}${query}`);
        expect(polled, polled.text).toMatchObject({ code: 200 });
        return polled.body.results as unknown as Entry[];
      },
    };
  }

  test('a monitor reports each change until it is acknowledged', async () => {
    const t = getTrial();
    const monitor = await start(t);
    expect(await monitor.poll()).toEqual([]);
    const { id } = await t.create();
    const added = await monitor.poll();
    expect(added).toMatchObject([{ change: 'added', record: { [t.identity]: id } }]);
    expect((await monitor.poll()).map(({ record }) => record)).toEqual(added.map(({ record }) => record));
    expect(await monitor.poll(added.at(-1)!.position)).toEqual([]);
    if (!t.isWritable) return;
    const change = t.change();
    await t.update(id, change);
    const modified = await monitor.poll();
    expect(modified).toMatchObject([{ change: 'modified', record: { [t.identity]: id, ...change } }]);
    await t.remove(id);
    const last = await monitor.poll(modified.at(-1)!.position);
    expect(last.map((entry) => entry.change)).toEqual(['removed']);
    expect(last[0]!.record).toEqual({ [t.identity]: id });
    expect(await monitor.poll(last[0]!.position)).toEqual([]);
  });

  test('a monitor with a filter reports the records that match, and the removal of those that do not', async () => {
    const t = getTrial();
    const matching = t.sample();
    const [field, value] = t.own(matching);
    const monitor = await start(t, { filter: [`${field}==${JSON.stringify(value)}`] });
    const otherRecord = await t.create();
    const id = await t.admin.create({ path: t.savePath }, matching);
    const entries = await monitor.poll();
    expect(entries.filter(({ change }) => change !== 'removed').map(({ record }) => record[t.identity])).toEqual([id]);
    for (const { record } of entries.filter(({ change }) => change === 'removed'))
      expect(record).toEqual({ [t.identity]: otherRecord.id });
    expect((await t.admin.post(`${t.path}/monitor/start`, { filter: ['noSuchField==1'] })).code).toBe(400);
    expect((await t.admin.post(`${t.path}/monitor/start`, { noSuch: 1 })).code).toBe(400);
  });

  test('a monitor that was stopped, or that belongs to another account, is not found', async () => {
    const t = getTrial();
    const { id } = await start(t);
    const otherCaller = await t.caller('view');
    expect((await otherCaller.get(`${t.path}/monitor/${id}`)).code).toBe(404);
    expect((await otherCaller.post(`${t.path}/monitor/${id}/stop`)).code).toBe(404);
    expect((await t.admin.get(`${t.path}/monitor/${id}?position=nonsense`)).code).toBe(400);
    expect((await t.admin.post(`${t.path}/monitor/${id}/stop`)).code).toBe(200);
    expect((await t.admin.get(`${t.path}/monitor/${id}`)).code).toBe(404);
    expect((await t.admin.post(`${t.path}/monitor/${id}/stop`)).code).toBe(404);
  });

  test('an expired monitor is gone, and one token has at most twenty', async () => {
    const t = getTrial();
    const caller = await t.caller('view');
    const ids: number[] = [];
    for (let n = 0; n < 20; n++) ids.push(Number((await caller.post(`${t.path}/monitor/start`)).body.results![0]!.id));
    expect((await caller.post(`${t.path}/monitor/start`)).code).toBe(422);
    await t.sql(`update monitor set polled_at = now() - interval '16 minutes' where id = any($1::bigint[])`, [
      ids.slice(1),
    ]);
    expect(await caller.get(`${t.path}/monitor/${ids[1]}`)).toMatchObject({ code: 410, body: { status: 'gone' } });
    expect((await caller.post(`${t.path}/monitor/start`)).code).toBe(201);
  });
}
