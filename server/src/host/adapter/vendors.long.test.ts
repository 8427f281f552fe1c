import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { world } from '../../../test/world/world.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { adapter } from './adapter.ts';
import { loadVendors, nameVendors, registryFolder } from './vendors.ts';

describe('vendors of MAC addresses', async () => {
  const { admin, service } = await world();
  const { runtime } = service;
  const transact = <T>(work: Parameters<typeof runtime.transact<T>>[1]) => runtime.transact(systemOrigin('test'), work);
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-oui-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const vendorOf = async (physicalAddress: string) => {
    const id = await admin.create(adapter, { physicalAddress });
    const { vendorName, vendorOUI, randomized } = await admin.fetch(adapter, id);
    return [vendorName, vendorOUI, randomized];
  };

  test('reads each prefix of the IEEE registries once', async () => {
    const prefixes = await transact((tx) => loadVendors(tx));
    const { rows } = await runtime.pool.query<{ rows: number; files: number }>(
      'select (select count(*) from oui_prefix)::integer as rows, (select sum(prefixes) from oui_file)::integer as files',
    );
    expect(rows).toEqual([{ rows: prefixes, files: prefixes }]);
    // Debian bookworm's ieee-data has 46,521 prefixes; later releases have more.
    expect(prefixes).toBeGreaterThanOrEqual(46_521);
    expect(await transact((tx) => loadVendors(tx))).toBeUndefined();
  });

  test('finds the vendor by the longest prefix, and none for a randomized address', async () => {
    expect(await vendorOf('00:1D:09:00:00:01')).toEqual(['Dell Inc.', '00:1D:09', false]);
    const { rows } = await runtime.pool.query<{ code: string; name: string }>(
      `select o.code, o.name from oui_prefix o where length(o.code) = 13 and exists (select from oui_prefix p where p.code = left(o.code, 8)) order by o.code limit 1`,
    );
    const [longest] = rows;
    expect(await vendorOf(`${longest!.code}0:01`)).toEqual([longest!.name, longest!.code, false]);
    expect(await vendorOf('02:1D:09:00:00:01')).toEqual([null, null, true]);
  });

  test('updates the vendors of stored adapters when a registry changes', async () => {
    await cp(registryFolder, folder, { recursive: true });
    await writeFile(
      join(folder, 'oui.csv'),
      'Registry,Assignment,Organization Name,Organization Address\nMA-L,001D09,"New, Inc.",x\nMA-L,001D09,Other,x\n',
    );
    const prefixes = await transact((tx) => loadVendors(tx, folder));
    expect(prefixes).toBeLessThan(46_521);
    expect(await transact((tx) => nameVendors(tx, 0))).toBeGreaterThan(0);
    const [record] = (await admin.get('/adapter?filter=physicalAddress==00:1D:09:00:00:01')).body.results!;
    expect(record).toMatchObject({ vendorName: 'New, Inc. / Other', vendorOUI: '00:1D:09', version: 1 });
  });
});
