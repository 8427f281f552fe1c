import { issueToken } from '../../src/auth/tokens.ts';
import { container } from '../../src/device/container/container.ts';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { observePorts } from '../../src/device/port/observe-ports.ts';
import { observeSsids } from '../../src/device/ssid/ssid.service.ts';
import { adapter } from '../../src/host/adapter/adapter.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import { group } from '../../src/system/group/group.ts';
import { adminProfile } from '../../src/user/admin-profile/admin-profile.ts';
import { userAccount } from '../../src/user/user-account/user-account.ts';
import { Client } from './client.ts';
import type { World } from './world.ts';

export type LimitedClient = Client & { accountId: number; profileId: number };

/** Fills a test world with groups, containers and administrators with row limits. */
export class Limiter {
  readonly #world: World;
  #made: number;

  /** A second one in the same world begins at another number, so that names differ. */
  constructor(world: World, made = 0) {
    this.#world = world;
    this.#made = made;
  }

  transact<T>(work: (tx: WriteTx) => Promise<T>): Promise<T> {
    return this.#world.service.runtime.transact(systemOrigin('test'), work);
  }

  async sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    return (await this.#world.service.runtime.pool.query<R>(text, values)).rows;
  }

  /** Creates an administrator with a profile of these fields. */
  async caller(profile: Record<string, unknown>): Promise<LimitedClient> {
    const name = `limited ${++this.#made}`;
    return this.transact(async (tx) => {
      const { id: profileId } = await tx.records.create(adminProfile, { name, ...profile });
      // Without a password, which would take time to hash.
      const { id: accountId } = await tx.records.create(userAccount, { userID: name, adminProfileDBID: profileId });
      const { token } = await issueToken(tx, accountId, { name });
      return Object.assign(new Client(this.#world.service.app, token as string), { accountId, profileId });
    });
  }

  async group(type: string): Promise<number> {
    const { id } = await this.transact(({ records }) => records.create(group, { name: `group ${++this.#made}`, type }));
    await this.nest();
    return id;
  }

  async join(groupId: number, elementType: number, ...members: number[]): Promise<void> {
    await this.sql(
      `insert into group_member (group_id, element_type, member_id) select $1, $2, unnest($3::bigint[]) on conflict do nothing`,
      [groupId, elementType, members],
    );
  }

  async leave(groupId: number, ...members: number[]): Promise<void> {
    await this.sql('delete from group_member where group_id = $1 and member_id = any($2::bigint[])', [
      groupId,
      members,
    ]);
  }

  /** Nests groups, and computes the closure of the nesting. */
  async nest(...edges: [parent: number, child: number][]): Promise<void> {
    await this.transact(async ({ client }) => {
      for (const edge of edges)
        await client.query('insert into group_edge (parent_id, child_id) values ($1, $2) on conflict do nothing', edge);
      await client.query('delete from group_closure');
      await client.query(`with recursive down (top, low, depth) as (
          select g.id, g.id, 0 from "group" g
          union all select down.top, e.child_id, down.depth + 1 from down join group_edge e on e.parent_id = down.low
        )
        insert into group_closure (ancestor_id, descendant_id, depth) select top, low, min(depth) from down group by top, low`);
    });
  }

  /** Lets an administrator manage groups through an administrator group, which is nested in the managing one. */
  async manage(accountId: number, ...managed: number[]): Promise<number> {
    const [outer, inner] = [await this.group('ADMINISTRATOR'), await this.group('ADMINISTRATOR')];
    await this.nest([outer, inner]);
    await this.join(inner, 7, accountId);
    await this.sql('insert into group_manages (group_id, managed_id) select $1, unnest($2::bigint[])', [
      outer,
      managed,
    ]);
    return inner;
  }

  async container(parent = 'Network'): Promise<{ id: number; name: string }> {
    const name = `place ${++this.#made}`;
    const { id } = await this.transact(({ records }) => records.create(container, { name, parent }));
    return { id, name };
  }

  async device(place = 'Network'): Promise<number> {
    const name = `device ${++this.#made}`;
    const [containerRow] = await this.sql<{ id: number }>('select id from container where name = $1', [place]);
    return (
      await this.transact(({ records }) => records.create(networkDevice, { name, containerID: containerRow!.id }))
    ).id;
  }

  async adapter(): Promise<number> {
    const physicalAddress = macOf(++this.#made);
    return (await this.transact(({ records }) => records.create(adapter, { physicalAddress }))).id;
  }

  async port(deviceID: number): Promise<number> {
    const name = `Gi0/${++this.#made}`;
    await this.transact(({ client }) => observePorts(client, [{ deviceID, name, label: name }]));
    const [row] = await this.sql<{ id: number }>('select id from port where device_id = $1 and name = $2', [
      deviceID,
      name,
    ]);
    return row!.id;
  }

  async ssid(deviceID: number): Promise<number> {
    const name = `network ${++this.#made}`;
    await this.transact(async (tx) => {
      await observePorts(tx.client, [{ deviceID, name, portType: 1 }]);
      await observeSsids(tx, { id: deviceID, name: '' }, [{ name, bssid: null, security: 'PSK' }]);
    });
    const [row] = await this.sql<{ id: number }>('select id from ssid where name = $1', [name]);
    return row!.id;
  }
}

/** Returns a MAC address that no other number gives. */
export const macOf = (n: number): string =>
  `00:50:C2:${[n >> 16, n >> 8, n].map((byte) => (byte & 255).toString(16).padStart(2, '0')).join(':')}`.toUpperCase();

export const everyVerb = { view: true, add: true, modify: true, delete: true };

/** Returns permissions of all verbs on a key, on these records only. */
export const selecting = (...selectedIDs: number[]) => ({ ...everyVerb, customized: true, allIDs: false, selectedIDs });
