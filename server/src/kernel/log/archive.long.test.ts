import { createHash } from 'node:crypto';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { brewingSession, cup, logGroups } from '../../../test/overlay/logs.ts';
import { asOwner, idOnDay, pastDays, sliceDate } from '../../../test/trials/slices.ts';
import type { Client, Reply } from '../../../test/world/client.ts';
import { overlayWorld } from '../../../test/world/overlay-world.ts';
import { archiveName, linesOf, type Manifest } from './archive-store.ts';

const never = new AbortController().signal;

describe('the archives of logs', async () => {
  const { admin, service, database, caller } = await overlayWorld(logGroups, { jobs: 'work' });
  const { daysAgoMs, makePastSlices } = pastDays();
  const { pool } = service.runtime;
  const archives = service.archives!;
  const { folder } = archives.options;
  const landscape = (await pool.query('select cell_landscape() as own')).rows[0].own as number;

  const fill = async (day: number, count = 20) => {
    await makePastSlices(database, 'cup', [day]);
    await pool.query(
      `insert into cup (id, drink, machine_id, strength, extras)
       select $1::bigint + n * 9000, E'tea "' || n || E'"\\n\\\\ \\u00fc', n, nullif(n % 10, 0), jsonb_build_array('milk', n::text) from generate_series(1, $2::integer) n`,
      [idOnDay(daysAgoMs(day), 1), count],
    );
    return sliceDate(daysAgoMs(day));
  };
  const sumOf = async (log: string, start: string) => {
    const { rows } = await pool.query<{ sum: string; count: number }>(
      `select md5(string_agg((to_jsonb(r) - 'txid')::text, ',' order by r.id)) as sum, count(*) from ${log} r where r.at >= $1::date and r.at < $1::date + 1`,
      [start],
    );
    return rows[0]!;
  };
  const totals = async (log: string) => {
    const { rows } = await pool.query<{ total: number; counted: number }>(
      `select row_total('${log}') as total, (select count(*) from ${log}) as counted`,
    );
    expect(rows[0]!.total).toBe(rows[0]!.counted);
    return rows[0]!.total;
  };
  const stateOf = async (name: string, log = 'cup') => {
    const { results } = (await admin.get(`${cup.path}/archive?log=${log}`)).body;
    return results!.find((listed) => listed.name === name);
  };
  const statusOf = async (reply: Reply) => {
    expect(reply.code, reply.text).toBe(202);
    const task = Number(String(reply.headers.location).split('/').at(-1));
    for (;;) {
      for (const log of ['cup', 'brewing_session', 'audit_record']) {
        const { results } = (await admin.get(`${cup.path}/archive/import/status?log=${log}`)).body;
        const status = results!.find(({ taskID }) => taskID === task);
        if (status && (status.state === 'DONE' || status.state === 'FAILED')) return status;
      }
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const importKept = async (name: string, log = 'cup') =>
    statusOf(await admin.post(`${cup.path}/archive/import?log=${log}`, { name }));
  const upload = (manifest: unknown, archive: Buffer, client: Client = admin, fields = ['manifest', 'archive']) => {
    const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
    const body = Buffer.concat([
      Buffer.from(
        `--xyz\r\nContent-Disposition: form-data; name="${fields[0]}"; filename="../../etc/cron.d/x"\r\n\r\n${text}\r\n`,
      ),
      Buffer.from(
        `--xyz\r\nContent-Disposition: form-data; name="${fields[1]}"; filename="/etc/passwd"\r\nContent-Type: application/gzip\r\n\r\n`,
      ),
      archive,
      Buffer.from('\r\n--xyz--\r\n'),
    ]);
    return client.call('POST', `${cup.path}/archive/import`, body, {
      'content-type': 'multipart/form-data; boundary=xyz',
    });
  };
  const filesOf = async (name: string): Promise<[Manifest, Buffer]> => [
    JSON.parse(await readFile(join(folder, `${name}.manifest.json`), 'utf8')),
    await readFile(join(folder, `${name}.ndjson.gz`)),
  ];
  /** Creates an archive as another cell would have written it. */
  const foreign = (day: number, rows: object[], change: Partial<Manifest> = {}): [Manifest, Buffer] => {
    const data = gzipSync(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    const slice = sliceDate(daysAgoMs(day));
    const manifest: Manifest = {
      log: 'cup',
      landscape: 77,
      from: `${slice}T00:00:00.000Z`,
      to: `${sliceDate(daysAgoMs(day - 1))}T00:00:00.000Z`,
      rows: rows.length,
      minID: 0,
      maxID: 0,
      bytes: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
      schemaVersion: 2,
      productVersion: '0.0.1',
      createdAt: '2026-01-01T00:00:00.000Z',
      ...change,
    };
    return [manifest, data];
  };
  const foreignRow = (day: number, n: number) => ({
    id: idOnDay(daysAgoMs(day), n),
    landscape: 77,
    drink: `foreign ${n}`,
    machineID: n,
    strength: null,
    extras: [],
    madeAt: new Date(daysAgoMs(day) + n).toISOString(),
  });

  test('a slice that is closed is written to a file with its manifest, checked, and listed', async () => {
    const slice = await fill(3);
    // Like a node that stalls in the middle of the job.
    const otherSession = await pool.connect();
    await otherSession.query(`select pg_advisory_lock(hashtext('portreeve-log-archive'))`);
    const archiving = archives.archiveAll(never);
    expect((await admin.get(`${cup.path}/archive?log=cup`)).body.results).toEqual([]);
    await otherSession.query(`select pg_advisory_unlock(hashtext('portreeve-log-archive'))`);
    otherSession.release();
    await archiving;
    const name = archiveName('cup', slice, landscape);
    const [manifest, data] = await filesOf(name);
    const lines = gunzipSync(data)
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(manifest).toEqual({
      log: 'cup',
      landscape,
      from: `${slice}T00:00:00.000Z`,
      to: `${sliceDate(daysAgoMs(2))}T00:00:00.000Z`,
      rows: 20,
      minID: lines[0].id,
      maxID: lines[19].id,
      bytes: data.length,
      sha256: createHash('sha256').update(data).digest('hex'),
      schemaVersion: 2,
      productVersion: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      createdAt: expect.any(String),
    });
    expect(lines[9]).toEqual({
      id: idOnDay(daysAgoMs(3), 1) + 90_000,
      landscape,
      drink: 'tea "10"\n\\ ü',
      machineID: 10,
      strength: null,
      extras: ['milk', '10'],
      madeAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await stateOf(name)).toEqual({
      name,
      log: 'cup',
      landscape,
      from: manifest.from,
      to: manifest.to,
      rows: 20,
      bytes: data.length,
      sha256: manifest.sha256,
      createdAt: expect.any(String),
      imported: false,
      importedUntil: null,
      importedBy: null,
      importedAt: null,
      location: 'LOCAL',
      state: 'ONLINE',
    });
    const { rows: events } = await pool.query(
      `select from event where name = 'LOG_ARCHIVE_CREATED' and event_format_string like $1`,
      [`Slice ${slice} of cup: 20 rows%`],
    );
    expect(events).toHaveLength(1);
    await archives.archiveAll(never);
    expect((await filesOf(name))[0].createdAt).toBe(manifest.createdAt);
  });

  test('a slice past its age is archived and leaves; imported, every row is as it was, for a while, and no monitor sees it', async () => {
    const slice = await fill(40, 6_000);
    const name = archiveName('cup', slice, landscape);
    const before = await sumOf('cup', slice);
    const total = await totals('cup');
    await archives.ageAll(never);
    expect(await totals('cup')).toBe(total - 6_000);
    expect((await sumOf('cup', slice)).count).toBe(0);
    expect(await stateOf(name)).toMatchObject({ state: 'OFFLINE', rows: 6_000 });
    const { rows: tables } = await pool.query(`select from pg_class where relname like 'cup\\_%\\_gone'`);
    expect(tables).toEqual([]);
    const monitor = (await admin.post(`${cup.path}/monitor/start`)).body.results![0] as { id: number };

    expect(await importKept(name)).toMatchObject({
      name,
      state: 'DONE',
      rowsDone: 6_000,
      rowsTotal: 6_000,
      inserted: 6_000,
      duplicates: 0,
      rejected: 0,
      error: null,
    });
    expect(await sumOf('cup', slice)).toEqual(before);
    expect(await totals('cup')).toBe(total);
    expect(await stateOf(name)).toMatchObject({ state: 'IMPORTED', imported: true, importedUntil: expect.any(String) });
    expect((await admin.get(`${cup.path}/monitor/${monitor.id}`)).body.results).toEqual([]);
    expect(await importKept(name)).toMatchObject({ inserted: 0, duplicates: 6_000 });
    expect(await totals('cup')).toBe(total);

    await archives.ageAll(never);
    expect((await sumOf('cup', slice)).count).toBe(6_000);
    await asOwner(database, (client) =>
      client.query(`update log_archive set imported_until = now() - interval '1 second'`),
    );
    await archives.ageAll(never);
    expect((await sumOf('cup', slice)).count).toBe(0);
    expect(await stateOf(name)).toMatchObject({ state: 'OFFLINE', imported: false });
    const { rows: purged } = await pool.query(
      `select from event where name = 'LOG_PURGED' and event_format_string like $1`,
      [`Slice ${slice} of cup: 6000 rows%`],
    );
    expect(purged).toHaveLength(2);
  });

  test('rows that an administrator deleted do not come back', async () => {
    const slice = await fill(41, 10);
    const { rows } = await pool.query<{ id: number }>(
      `select id from cup where at >= $1::date and at < $1::date + 1 order by id limit 2`,
      [slice],
    );
    await archives.archiveAll(never);
    expect((await admin.post(`${cup.path}/delete`, { id: rows.map(({ id }) => id) })).code).toBe(200);
    await archives.ageAll(never);
    expect((await sumOf('cup', slice)).count).toBe(0);
    expect(await importKept(archiveName('cup', slice, landscape))).toMatchObject({ inserted: 8, duplicates: 2 });
    expect((await sumOf('cup', slice)).count).toBe(8);
    await totals('cup');
  });

  test('a slice that got rows after it was archived is archived again before it leaves', async () => {
    const slice = await fill(42, 5);
    await archives.archiveAll(never);
    await pool.query(`insert into cup (id, drink, machine_id, extras) values ($1, 'latecomer', 1, '[]')`, [
      idOnDay(daysAgoMs(42), 5_000),
    ]);
    await expect(archives.detach('cup', slice)).rejects.toThrow('is not archived');
    await archives.ageAll(never);
    expect((await filesOf(archiveName('cup', slice, landscape)))[0].rows).toBe(6);
    expect((await sumOf('cup', slice)).count).toBe(0);
  });

  test('a log that is closed by its end is archived and imported by it', async () => {
    const monday = daysAgoMs(210 + ((new Date(daysAgoMs(0)).getUTCDay() + 6) % 7));
    const slice = sliceDate(monday);
    await asOwner(database, (client) =>
      client.query(`select make_log_slice(t, $1::date) from log_table t where t.table_name = 'brewing_session'`, [
        slice,
      ]),
    );
    await pool.query(
      `insert into brewing_session (id, user_name, end_time, outcome)
       select $1::bigint - n * 1000, 'user ' || n, $2::timestamptz + (n / 2) * interval '1 hour', 'SERVED' from generate_series(0, 99) n`,
      [idOnDay(monday, 1), new Date(monday).toISOString()],
    );
    const sum = async () =>
      (
        await pool.query(
          `select md5(string_agg((to_jsonb(r) - 'txid')::text, ',' order by r.id)) as sum from brewing_session r`,
        )
      ).rows[0];
    const before = await sum();
    await asOwner(database, (client) =>
      client.query(`update log_setting set value = 0 where name = 'archiveBeforePurge'`),
    );
    await archives.ageAll(never);
    await asOwner(database, (client) =>
      client.query(`update log_setting set value = 1 where name = 'archiveBeforePurge'`),
    );
    expect(await totals('brewing_session')).toBe(0);
    const name = archiveName('brewing_session', slice, landscape);
    expect(await stateOf(name, 'brewing_session')).toMatchObject({ state: 'OFFLINE', rows: 100 });
    expect(await importKept(name, 'brewing_session')).toMatchObject({ inserted: 100 });
    expect(await sum()).toEqual(before);
    expect(await totals('brewing_session')).toBe(100);
  });

  test('the audit log is archived completely, and its rows are removed in no other way', async () => {
    const lastYear = new Date(Date.UTC(new Date().getUTCFullYear() - 3, 2, 1));
    const slice = lastYear.toISOString().slice(0, 10);
    await asOwner(database, async (client) => {
      await client.query(`select make_log_slice(t, $1::date) from log_table t where t.table_name = 'audit_record'`, [
        slice,
      ]);
      await client.query(
        `insert into audit_record (id, "user", action, live_dbid, yams_event_tag, audit_obj, audit_object_name, db_table_name, summary, changes, source_address, request_id, method, path)
         select $1::bigint + n, 'ann', 'MODIFY', n, 'TAG', 'x: changed', 'x', 'container', '', '[{"field":"a","before":null,"after":"•••","changed":true}]', '2001:db8::1', 'r', 'POST', '/p' from generate_series(1, 5) n`,
        [idOnDay(lastYear.getTime(), 1)],
      );
      await client.query(`update log_setting set value = 0 where name = 'archiveBeforePurge'`);
    });
    await expect(archives.detach('audit_record', slice)).rejects.toThrow('is not archived');
    const sum = async () =>
      (
        await pool.query(
          `select md5(string_agg((to_jsonb(r) - 'txid')::text, ',' order by r.id)) as sum, count(*) from audit_record r where r.at < $1::date + 31`,
          [slice],
        )
      ).rows[0];
    const before = await sum();
    await archives.ageAll(never);
    await asOwner(database, (client) =>
      client.query(`update log_setting set value = 1 where name = 'archiveBeforePurge'`),
    );
    expect((await sum()).count).toBe(0);
    expect(await importKept(archiveName('audit_record', slice, landscape), 'audit_record')).toMatchObject({
      inserted: 5,
    });
    expect(await sum()).toEqual(before);
  });

  test('archives of other logs are listed and imported under the right of their own log', async () => {
    const auditor = await caller({ 'system-settings': ['view', 'modify'], 'audit-log': ['view'] });
    const kitchen = await caller({ 'system-settings': ['view', 'modify'] });
    const path = `${cup.path}/archive`;
    expect((await auditor.get(`${path}?log=audit_record`)).code).toBe(200);
    expect((await kitchen.get(`${path}?log=audit_record`)).body.errorMessage).toContain('view audit-log');
    expect((await kitchen.get(`${path}/import/status?log=audit_record`)).code).toBe(403);
    expect((await auditor.post(`${path}/import?log=audit_record`, { name: 'x' })).body.errorMessage).toContain(
      'modify audit-log',
    );
    expect((await kitchen.get(`${path}?log=user_account`)).code).toBe(400);
    expect((await kitchen.get(path)).code).toBe(200);
  });

  test('files of another cell are taken, keep their landscape, and leave with the slice', async () => {
    const rows = [1, 2, 3].map((n) => foreignRow(60, n));
    const [manifest, data] = foreign(60, rows);
    const slice = sliceDate(daysAgoMs(60));
    const status = await statusOf(await upload(manifest, data));
    expect(status).toMatchObject({ name: archiveName('cup', slice, 77), state: 'DONE', inserted: 3 });
    const { rows: leftovers } = await pool.query(
      `select landscape, txid::text from cup where at >= $1::date and at < $1::date + 1`,
      [slice],
    );
    expect(leftovers).toEqual(Array(3).fill({ landscape: 77, txid: '0' }));
    expect(await stateOf(archiveName('cup', slice, 77))).toMatchObject({ state: 'IMPORTED', landscape: 77 });
    await totals('cup');
    expect(await statusOf(await upload(manifest, data))).toMatchObject({ inserted: 0, duplicates: 3 });
    const { rows: audited } = await pool.query(
      `select summary from audit_record where action = 'EXECUTE' and audit_object_name = $1`,
      [archiveName('cup', slice, 77)],
    );
    expect(audited).toEqual(Array(2).fill({ summary: 'import of uploaded files' }));
    await asOwner(database, (client) =>
      client.query(`update log_archive set imported_until = now() - interval '1 second'`),
    );
    await archives.ageAll(never);
    expect((await sumOf('cup', slice)).count).toBe(0);
  });

  test('rows of an earlier version get the defaults of what came later; those of a later one are refused', async () => {
    const old = [1, 2].map((n) => {
      const { extras: _, ...row } = foreignRow(61, n);
      return row;
    });
    expect(await statusOf(await upload(...foreign(61, old, { schemaVersion: 1 })))).toMatchObject({
      state: 'DONE',
      inserted: 2,
    });
    const { rows } = await pool.query(`select extras from cup where landscape = 77 and at >= $1::date`, [
      sliceDate(daysAgoMs(61)),
    ]);
    expect(rows).toEqual([{ extras: [] }, { extras: [] }]);
    const status = await statusOf(await upload(...foreign(62, old, { schemaVersion: 2 })));
    expect(status).toMatchObject({
      state: 'FAILED',
      rejected: 2,
      error: expect.stringContaining('extras: this field is required'),
    });
    expect((await upload(...foreign(62, old, { schemaVersion: 3 }))).body.errorMessage).toContain(
      'supports versions up to 2',
    );
  });

  describe('refuse, and take nothing', () => {
    const untouched = async (work: () => Promise<void>) => {
      const before = await totals('cup');
      const { rows } = await pool.query(`select count(*) from log_archive`);
      await work();
      expect(await totals('cup')).toBe(before);
      expect((await pool.query(`select count(*) from log_archive`)).rows).toEqual(rows);
      const tables = async () =>
        (await pool.query(`select from pg_class where relname ~ '_import_\\d+$' and relkind = 'r'`)).rows;
      // The failure of an import is stored a moment before its table is dropped.
      await expect.poll(tables).toEqual([]);
    };

    test('a kept file of which one byte was changed', async () => {
      const slice = await fill(70, 50);
      await archives.ageAll(never);
      await untouched(async () => {
        const name = archiveName('cup', slice, landscape);
        const path = join(folder, `${name}.ndjson.gz`);
        const data = await readFile(path);
        data[data.length >> 1]! ^= 1;
        await writeFile(path, data);
        expect(await importKept(name)).toMatchObject({
          state: 'FAILED',
          error: expect.stringContaining('its hash differs'),
        });
      });
    });

    test('a manifest of another file, of no log, of no slice, of the future, with a field too many, or none at all', async () => {
      const rows = [foreignRow(63, 1)];
      const [manifest, data] = foreign(63, rows);
      const [otherManifest] = foreign(63, [foreignRow(63, 2)]);
      await untouched(async () => {
        const cases: [unknown, string][] = [
          [otherManifest, 'its hash differs'],
          [{ ...manifest, log: 'user_account' }, 'which this service does not have'],
          [{ ...manifest, log: '../../etc' }, 'the name of a log'],
          [{ ...manifest, log: 'brewing_session' }, 'no slice of brewing_session'],
          [{ ...manifest, to: manifest.from }, 'no slice of cup'],
          [
            {
              ...manifest,
              from: `${sliceDate(daysAgoMs(-1))}T00:00:00.000Z`,
              to: `${sliceDate(daysAgoMs(-2))}T00:00:00.000Z`,
            },
            'not over',
          ],
          [{ ...manifest, path: '/etc/passwd' }, 'no such field'],
          ['not json', 'not valid JSON'],
          [{ ...manifest, rows: undefined }, 'rows: this field is required'],
        ];
        for (const [parts, words] of cases) {
          const reply = await upload(parts, data);
          expect([reply.code, reply.body.errorMessage], words).toEqual([422, expect.stringContaining(words)]);
        }
        expect((await upload(manifest, data, admin, ['manifest', 'data'])).code).toBe(400);
        expect((await upload(manifest, data, admin, ['archive', 'archive'])).code).toBe(400);
        expect((await upload('x'.repeat(70_000), data)).code).toBe(413);
      });
    });

    test('names that are paths, or of nothing that is kept', async () => {
      await untouched(async () => {
        for (const name of ['../../etc/passwd', '/etc/passwd', 'cup-2026-01-01-L1', 'upload-x', '..', 'cup%2f..'])
          expect((await admin.post(`${cup.path}/archive/import`, { name })).code, name).toBe(404);
        expect((await admin.post(`${cup.path}/archive/import`, {})).code).toBe(400);
        expect((await admin.post(`${cup.path}/archive/import`, { name: 'x', names: ['y'] })).code).toBe(400);
        expect(() => archives.store.dataPath('../x')).toThrow('is not the name of an archive');
      });
    });

    test('a small file that becomes a large one, by its rows or by one endless line', async () => {
      const many = gzipSync(`${JSON.stringify(foreignRow(64, 1))}\n`.repeat(200_000));
      const endless = gzipSync(Buffer.alloc(50_000_000, 120));
      await untouched(async () => {
        for (const [data, words] of [
          [many, 'more rows than the 1 of its manifest'],
          [endless, 'exceeds the length limit'],
          [gzipSync(JSON.stringify(foreignRow(64, 1))), 'in the middle of a line'],
          [many.subarray(0, 100), 'not a complete gzip file'],
        ] as const) {
          const [manifest] = foreign(64, [foreignRow(64, 1)], {
            bytes: data.length,
            sha256: createHash('sha256').update(data).digest('hex'),
          });
          expect(await statusOf(await upload(manifest, data))).toMatchObject({
            state: 'FAILED',
            error: expect.stringContaining(words),
          });
        }
      });
    });

    test('a bomb of wrong rows is left after twenty of them, however many are announced', async () => {
      const data = gzipSync('{}\n'.repeat(5_000_000));
      const [manifest] = foreign(64, [], {
        rows: 5_000_000,
        bytes: data.length,
        sha256: createHash('sha256').update(data).digest('hex'),
      });
      await untouched(async () => {
        const status = await statusOf(await upload(manifest, data));
        expect(status).toMatchObject({
          state: 'FAILED',
          rejected: 20,
          rowsDone: 20,
          error: expect.stringContaining('The rest of the archive was not read.'),
        });
      });
    });

    test('a file that becomes 200 times its size', async () => {
      const path = join(folder, 'bomb.gz');
      await writeFile(path, gzipSync('{}\n'.repeat(20_000_000)));
      let lines = 0;
      const countLines = async () => {
        for await (const batch of linesOf(path)) lines += batch.length;
      };
      await expect(countLines()).rejects.toThrow('exceeds the size limit');
      expect(lines).toBeLessThan(15_000_000);
      await rm(path);
    });

    test('rows that are wrong: each is counted, the first is named', async () => {
      const right = foreignRow(65, 1);
      await untouched(async () => {
        const cases: [object[], string][] = [
          [[right, { ...right, id: right.id + 1, drink: 5 }], 'line 2: drink: expected text'],
          [[right, { ...right, id: right.id + 1, strength: 10 }], '10 is out of range'],
          [[right, { ...right, id: right.id + 1, txid: 5 }], 'txid: no such field'],
          [[right, right], 'out of order or a duplicate'],
          [[{ ...right, landscape: 78 }], 'belongs to another landscape'],
          [[foreignRow(66, 1)], 'outside the time of the archive'],
          [[[] as unknown as object], 'line 1: body: expected an object'],
        ];
        for (const [rows, words] of cases) {
          const status = await statusOf(await upload(...foreign(65, rows)));
          expect(status).toMatchObject({ state: 'FAILED', rejected: 1, error: expect.stringContaining(words) });
        }
        const few = await statusOf(await upload(...foreign(65, [right], { rows: 2 })));
        expect(few).toMatchObject({
          state: 'FAILED',
          error: expect.stringContaining('has 1 rows; its manifest lists 2'),
        });
      });
    });

    test('rows that this cell archived according to the manifest, without a record of it', async () => {
      const files = foreign(47, [{ ...foreignRow(47, 1), landscape }], { landscape });
      await untouched(async () =>
        expect(await upload(...files)).toMatchObject({
          code: 422,
          body: { errorMessage: expect.stringContaining('its hash is not recorded here') },
        }),
      );
    });

    test('rows of this cell that are still live, and another file for an archive that is kept', async () => {
      await fill(5, 3);
      const files = foreign(5, [{ ...foreignRow(5, 1), landscape }], { landscape });
      const refused = async (words: string) =>
        untouched(async () => expect((await upload(...files)).body.errorMessage).toContain(words));
      await refused('are live here');
      await archives.archiveAll(never);
      await refused('its hash differs');
    });

    test('an upload with a key, without the right, or where none is taken', async () => {
      const [manifest, data] = foreign(67, [foreignRow(67, 1)]);
      await untouched(async () => {
        const viewer = await caller({ 'system-settings': ['view'] });
        expect((await upload(manifest, data, viewer)).code).toBe(403);
        const keyed = await admin.call('POST', `${cup.path}/archive/import`, 'x', {
          'content-type': 'multipart/form-data; boundary=xyz',
          'idempotency-key': 'k',
        });
        expect([keyed.code, keyed.body.errorMessage]).toEqual([400, expect.stringContaining('Idempotency-Key')]);
        const simulated = await admin.post(`${cup.path}/archive/import?dryRun=true`, { name: 'nothing' });
        expect(simulated.code).toBe(404);
        // All other operations refuse such a body before it is read.
        expect(
          (await admin.call('POST', `${cup.path}/delete`, 'x', { 'content-type': 'multipart/form-data; boundary=xyz' }))
            .code,
        ).toBe(415);
        expect((await admin.post(`${brewingSession.path}/monitor/start`)).code).toBe(201);
      });
    });
  });

  test('a deleted file is reported as missing, and an expired archive is deleted with its file', async () => {
    const slice = await fill(80, 4);
    await archives.ageAll(never);
    const name = archiveName('cup', slice, landscape);
    const [manifest, data] = await filesOf(name);
    await rm(join(folder, `${name}.ndjson.gz`));
    await archives.ageAll(never);
    expect(await stateOf(name)).toMatchObject({ state: 'MISSING' });
    expect((await admin.post(`${cup.path}/archive/import`, { name })).body.errorMessage).toContain('is missing');
    expect(await statusOf(await upload(manifest, data))).toMatchObject({ state: 'DONE', inserted: 4 });
    expect(await stateOf(name)).toMatchObject({ state: 'IMPORTED' });
    await asOwner(database, (client) =>
      client.query(
        `update log_archive set imported_until = null, offline_since = now() - interval '731 days' where name = $1`,
        [name],
      ),
    );
    await archives.ageAll(never);
    await asOwner(database, (client) =>
      client.query(`update log_archive set offline_since = now() - interval '731 days' where name = $1`, [name]),
    );
    await archives.ageAll(never);
    expect(await stateOf(name)).toBeUndefined();
    await expect(filesOf(name)).rejects.toThrow('ENOENT');
  });

  test('a slice that cannot be archived is reported and stays, and the others are removed', async () => {
    const [stuck, free] = [await fill(90, 3), await fill(91, 3)];
    await pool.query('select 1');
    const write = archives.store.writeManifest.bind(archives.store);
    archives.store.writeManifest = async (name, manifest) => {
      if (name.includes(stuck)) throw new Error('the disk is full');
      return write(name, manifest);
    };
    await archives.ageAll(never);
    archives.store.writeManifest = write;
    expect((await sumOf('cup', stuck)).count).toBe(3);
    expect((await sumOf('cup', free)).count).toBe(0);
    const { rows } = await pool.query(
      `select from event where name = 'LOG_ARCHIVE_FAILED' and event_format_string = $1`,
      [`Slice ${stuck} of cup: the disk is full.`],
    );
    expect(rows).toHaveLength(1);
  });
});
