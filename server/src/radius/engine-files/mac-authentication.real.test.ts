import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { macAuthenticationCases } from '../../../test/world/mac-authentication-cases.ts';
import { until } from '../../../test/world/patience.ts';
import { nasAddress, type RadiusWorld, radiusWorld } from '../../../test/world/radius-world.ts';

const profiles = '/radius/radius-server-config';
const otherAddress = '127.0.0.10';

/** The engine and the node both test a request for MAC authentication; these tests detect a difference between them. */
describe('MAC authentication, recognised by the engine and by the node', () => {
  let world: RadiusWorld;

  beforeAll(async () => {
    world = await radiusWorld();
    const set = { tlsConfigID: 3, mabEnabled: false, papEnabled: true };
    const id = await world.admin.create({ path: profiles }, { name: 'PAP without MAC authentication', ...set });
    await world.device(otherAddress, { radiusServerConfigID: id });
    await world.runs();
    await until('the other profile', async () => {
      const { code } = await world.mab('00:1D:09:04:00:99', { source: otherAddress, tries: 1 });
      return code === 'Access-Reject';
    });
  });
  afterAll(() => world.close());

  const newestMessage = async (nas: string) =>
    (await world.admin.get<{ message: string }>(`/radius/radius-health-details?filter=nas==${nas}&count=1`)).body
      .results![0]?.message;

  test.each(macAuthenticationCases)('$name: $isMac', async ({ attributes, isMac }) => {
    // The profile accepts only MAC authentication: an accept means that both recognised it.
    const { code } = await world.send({ attributes, source: nasAddress });
    expect(code).toBe(isMac ? 'Access-Accept' : 'Access-Reject');
    // The profile accepts only passwords, and no account matches: an accept means that only the node recognised it.
    const reply = await world.send({ attributes, source: otherAddress });
    expect(reply.code).toBe('Access-Reject');
    const reason = isMac ? 'mabEnabled is off' : 'no network user with this name';
    await until(reason, async () => (await newestMessage('nas-2'))?.includes(reason) === true);
  });
});
