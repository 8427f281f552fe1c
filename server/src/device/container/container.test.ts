import { describe, expect, test } from 'vitest';
import { world } from '../../testing/world.ts';
import { container } from './container.ts';

describe('container', async () => {
  const { admin } = await world();

  test('a fresh cell has the root and the place for access points', async () => {
    const { body } = await admin.get('/device/container');
    expect(body.results?.map((record) => record.domainName)).toEqual(['Network', 'Network/Wireless']);
    expect(body).toMatchObject({ status: 'success', errorMessage: null, filtered: 2, total: 2 });
  });

  test('a new container lies under the root and remembers its creation', async () => {
    const id = await admin.create(container, { name: 'Building A' });
    const record = await admin.fetch(container, id);
    expect(record).toMatchObject({ parent: 'Network', domainName: 'Network/Building A', version: 1 });
    expect(record.creationEvent).toMatchObject({
      name: 'DOMAIN_CREATED',
      empty: false,
      elementID: id,
      eventFormatString: 'Container Building A created.',
    });
    expect(record.destroyEvent).toMatchObject({ name: 'DOMAIN_DESTROYED', empty: true, id: 0 });
  });
});
