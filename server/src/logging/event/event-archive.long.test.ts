import { describe, expect, test } from 'vitest';
import { idOnDay, pastDays, sliceDate } from '../../../test/trials/slices.ts';
import { world } from '../../../test/world/world.ts';
import { event } from './event.ts';

const path = event.path!;

describe('archived events', async () => {
  const { admin, service, database, caller } = await world({ jobs: 'work' });

  test('moves a day of events to a file, and restores it row by row', async () => {
    const { pool } = service.runtime;
    const archives = service.archives!;
    const { daysAgoMs, makePastSlices } = pastDays();
    const slice = sliceDate(daysAgoMs(40));
    await makePastSlices(database, 'event', [40]);
    await pool.query(
      `insert into event (id, name, element_type, element_id, element_name, message, event_format_string, event_type_id, category, host_id, mac, ip,
       user_name, location, attributes, request_id)
     select $1::bigint + n * 9000, 'CONTACT_LOST', 2, n, 'switch ' || n, nullif('m' || n, 'm5'), E'Contact \\u00fc "lost".\\n', 1, 'DEVICE', nullif(n, 5),
       '02:00:00:00:00:0A', '2001:db8::1', 'alice', 'hall A', jsonb_build_object('n', n::text), null
     from generate_series(1, 500) n`,
      [idOnDay(daysAgoMs(40), 1)],
    );
    const hash = async () =>
      (
        await pool.query(`select count(*), md5(string_agg((to_jsonb(r) - 'txid')::text, ',' order by r.id)) as md5
       from event r where r.at < current_date - 39`)
      ).rows[0];
    const before = await hash();
    expect(before.count).toBe(500);
    await archives.archiveAll(new AbortController().signal);
    await archives.ageAll(new AbortController().signal);
    expect((await hash()).count).toBe(0);
    const { results } = (await admin.get(`${path}/archive`)).body;
    expect(results).toMatchObject([{ log: 'event', rows: 500, state: 'OFFLINE', from: `${slice}T00:00:00.000Z` }]);
    // Includes slices that were created ahead, in a database cloned from an old one.
    const purged = (await admin.get(`${path}?filter=name==LOG_PURGED`)).body.results!;
    expect(purged.filter(({ attributes }) => (attributes as { slice: string }).slice === slice)).toMatchObject([
      { category: 'LOGGING', elementName: 'log-age', attributes: { log: 'event', slice } },
    ]);
    expect((await admin.post(`${path}/archive/import`, { name: results![0]!.name })).code).toBe(202);
    await expect
      .poll(async () => (await admin.get(`${path}/archive/import/status`)).body.results![0]!.state, { timeout: 60_000 })
      .toBe('DONE');
    expect(await hash()).toEqual(before);
    // Lists the archives of the audit log too, for callers who may view it.
    const viewer = await caller({ 'events-alarms': ['view'] });
    expect((await viewer.get(`${path}/archive?log=audit_record`)).code).toBe(403);
    expect((await admin.get(`${path}/archive?log=audit_record`)).code).toBe(200);
  });
});
