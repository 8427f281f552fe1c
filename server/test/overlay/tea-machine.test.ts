import { describe, expect, test } from 'vitest';
import { container } from '../../src/device/container/container.ts';
import { openApiDocument } from '../../src/kernel/documents/openapi.ts';
import { testCollection } from '../conformance/conformance.ts';
import { overlayWorld } from '../world/overlay-world.ts';
import { overlayGroups } from './catalogue.ts';
import { teaMachine } from './tea-machine.ts';

describe('a resource of two files and two lines', async () => {
  const world = await overlayWorld(overlayGroups);
  const { admin, service } = world;

  testCollection(teaMachine, { world, sample: (n) => ({ name: `machine-${n}`, cupsMax: 5, pin: `pin-of-${n}` }) });

  test('has its table, routes and rights', async () => {
    const { rows } = await service.runtime.pool.query(`select to_regclass('tea_machine') is not null as present`);
    expect(rows).toEqual([{ present: true }]);
    const operations = service.operations.filter((operation) => operation.group === 'Tea machine');
    expect(operations).toHaveLength(17);
    expect(operations.every(({ access }) => access.kind === 'permission' && access.key === 'system-settings')).toBe(
      true,
    );
  });

  test('refers to another resource, whose usage lists it', async () => {
    const place = await admin.create(container, { name: 'Kitchen' });
    const id = await admin.create(teaMachine, { name: 'Referring', place: 'Kitchen' });
    expect((await admin.get(`${container.path}/${place}/usage`)).body.results).toEqual([
      { name: 'Tea machine', children: ['Referring'] },
    ]);
    expect((await admin.delete(`${container.path}/${place}`)).body).toMatchObject({
      status: 'in-use',
      errorMessage: expect.stringContaining('Tea machine Referring'),
    });
    const filtered = await admin.get(`${teaMachine.path}?filter=place.name==kitch*;place.pollingInterval=gt=1`);
    expect(filtered.body.results?.map((record) => record.id)).toEqual([id]);
    expect((await admin.get(`${teaMachine.path}?filter=place.name==Cellar`)).body.filtered).toBe(0);
    await admin.delete(`${teaMachine.path}/${id}`);
  });

  test('is in the OpenAPI document', () => {
    const text = JSON.stringify(
      openApiDocument(service.operations, service.runtime.engine.model, { version: '0.0.0' }),
    );
    expect(text).toContain('/api/v2/settings/kitchen/tea-machine/{id}/enable');
    expect(text).toContain('Cups before it wants water.');
  });
});
