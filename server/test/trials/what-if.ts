import { setTimeout as sleep } from 'node:timers/promises';
import { elementCodes } from '../../src/kernel/declare/element-type.ts';
import { accessConfiguration } from '../../src/policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '../../src/policy/access-policy/access-policy.ts';
import { logicalNetwork } from '../../src/policy/logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../../src/policy/logical-network-configuration/logical-network-configuration.ts';
import { assignDueRoles } from '../../src/policy/role/role.service.ts';
import { role } from '../../src/policy/role/role.ts';
import { group } from '../../src/system/group/group.ts';
import { type ChangeRow, decideEverybody, differences } from '../decide/everybody.ts';
import type { World } from '../world/open-world.ts';
import { Limiter } from '../world/restricted-admins.ts';
import { fillAbsent, fillCampus } from './churn/campus.ts';

export interface WhatIfStep {
  name: string;
  changed: number;
  total: number;
  seconds: number;
  /** 99th percentile of `GET /healthz` meanwhile, from the same process. */
  healthMs: number;
}

export interface WhatIfReport {
  steps: WhatIfStep[];
  faults: string[];
}

interface Options {
  connections: number;
  /** All hosts; those that are not connected are absent. */
  hosts?: number;
  /** Ports that are put under enforcement at once. */
  ports: number;
  reported?(step: WhatIfStep): void;
}

const filledAtOnce = 100_000;
const pageMax = 1_000;
interface TaskState {
  state: string;
  errorMessage: string | null;
}

const pollMs = 200;
const everyMs = 5;
const shownMax = 5;

/**
 * Makes dry runs of writes that move many connections, then the writes: exactly the moved connections must have been
 * listed.
 */
export async function whatIfTrial(world: World, options: Options): Promise<WhatIfReport> {
  const trial = new WhatIfTrial(world, options);
  await trial.fill();
  for (const step of trial.writes()) await trial.compare(...step);
  return trial.report;
}

type Write = [name: string, path: string, body: object];

class WhatIfTrial {
  readonly report: WhatIfReport = { steps: [], faults: [] };
  readonly #world: World;
  readonly #options: Options;
  readonly #limiter: Limiter;
  readonly #ids: Record<string, number> = {};
  #ports: number[] = [];

  constructor(world: World, options: Options) {
    this.#world = world;
    this.#options = options;
    this.#limiter = new Limiter(world);
  }

  async fill(): Promise<void> {
    const { admin } = this.#world;
    const ids = this.#ids;
    const { connections, hosts = connections } = this.#options;
    await this.#limiter.transact((tx) => fillCampus(tx, connections));
    for (let first = connections; first < hosts; first += filledAtOnce)
      await this.#limiter.transact((tx) => fillAbsent(tx, first, Math.min(hosts, first + filledAtOnce)));
    const connectionPorts = await this.#limiter.sql<{ id: number }>(
      'select port_id as id from connection_active order by port_id',
    );
    this.#ports = connectionPorts.map(({ id }) => id);
    ids.camera = await admin.create(role, { name: 'Camera' });
    ids.lab = await admin.create({ path: `${group.path}/HOST` }, { name: 'Lab' });
    ids.floor = await admin.create({ path: `${group.path}/PORT` }, { name: 'Floor' });
    ids.enforced = await this.#tagged('enforce-role');
    ids.registration = await this.#tagged('enforce-registration');
    await this.#limiter.sql(
      `insert into group_member (group_id, element_type, member_id) select $1, $2, h.id from host h where h.id % 50 = 0`,
      [ids.lab, elementCodes.HOST],
    );
    // Half of the ports are enforced already, a tenth more through a group that is not nested yet.
    await this.#join(ids.enforced, 'id % 2 = 0');
    await this.#join(ids.floor, 'id % 10 = 1');
    ids.network = await admin.create(logicalNetwork, { name: 'Offices' });
    ids.value = await admin.create(logicalNetworkConfiguration, {
      logicalNetworkID: ids.network,
      elementType: 'CONTAINER',
      elementID: 1,
      accessType: 'VLAN_ID',
      accessValue: '30',
    });
    ids.offices = await admin.create(accessConfiguration, {
      name: 'Offices',
      type: 'LOGICAL_NETWORK',
      logicalNetworkID: ids.network,
    });
    ids.cameras = await admin.create(accessConfiguration, {
      name: 'Cameras',
      type: 'DIRECT',
      directConfiguration: { accessType: 'VLAN_ID', accessValue: '40' },
    });
    const criteria = { who: { roles: ['Camera'] } };
    await admin.create(accessPolicy, { name: 'Cameras', criteria, accessConfigurationID: ids.cameras });
    await admin.create(accessPolicy, { name: 'Offices', accessConfigurationID: ids.offices });
  }

  writes(): Write[] {
    const { camera, lab, floor, enforced, registration, value, cameras } = this.#ids;
    const ports = this.#ports.filter((id) => id % 2 === 1 && id % 10 !== 1).slice(0, this.#options.ports);
    const where = { containers: [1] };
    return [
      ['an edge between groups', `${group.path}/add-to-parents`, { groupID: floor, parentID: [enforced] }],
      ['a value of a logical network', `${logicalNetworkConfiguration.path}/${value}`, { accessValue: '31' }],
      ["a role's groups", `${role.path}/${camera}`, { groupIDs: [lab] }],
      [
        `${ports.length} ports that join two enforcement groups`,
        `${group.path}/add-members`,
        { elemID: ports, groupID: [enforced, registration] },
      ],
      ['a policy', accessPolicy.path!, { name: 'All', rank: 1, criteria: { where }, accessConfigurationID: cameras }],
    ];
  }

  async compare(name: string, path: string, body: object): Promise<void> {
    const { admin, service } = this.#world;
    const atMs = Date.now();
    const before = await decideEverybody(service, atMs);
    const healthProbe = this.#askHealth();
    const begunMs = performance.now();
    const { listed, total } = await this.#dryRun(path, body);
    const seconds = (performance.now() - begunMs) / 1_000;
    const healthMs = await healthProbe.end();
    const reply = await admin.post(path, body);
    if (reply.code >= 300) this.#fault(`${name}: the write returned ${reply.code}: ${reply.text}`);
    while (await this.#limiter.transact((tx) => assignDueRoles(tx)));
    const wrongRows = differences(listed, before, await decideEverybody(service, atMs));
    for (const text of wrongRows.slice(0, shownMax)) this.#fault(`${name}: ${text}`);
    if (wrongRows.length > shownMax) this.#fault(`${name}: and ${wrongRows.length - shownMax} more`);
    const step = { name, changed: listed.length, total, seconds, healthMs };
    this.report.steps.push(step);
    this.#options.reported?.(step);
  }

  /** Returns all pages of a dry run. */
  async #dryRun(path: string, body: object): Promise<{ listed: ChangeRow[]; total: number }> {
    const listed: ChangeRow[] = [];
    for (;;) {
      const query = `?dryRun=true&count=${pageMax}&start=${listed.length}`;
      const reply = await this.#world.admin.post<ChangeRow>(`${path}${query}`, body);
      if (reply.code === 202) {
        await this.#endOf(String(reply.headers.location).replace('/api/v2', ''));
        continue;
      }
      if (reply.code !== 200) throw new Error(`the dry run of ${path} returned ${reply.code}: ${reply.text}`);
      const { results, filtered, total } = reply.body;
      listed.push(...results!);
      if (listed.length >= filtered! || results!.length === 0) return { listed, total: total! };
    }
  }

  /** Waits for the end of a background task. */
  async #endOf(task: string): Promise<void> {
    for (;;) {
      const [{ state, errorMessage }] = (await this.#world.admin.get<TaskState>(task)).body.results! as [TaskState];
      if (state === 'COMPLETED') return;
      if (state === 'FAILED' || state === 'CANCELLED') throw new Error(`${task} ended as ${state}: ${errorMessage}`);
      await sleep(pollMs);
    }
  }

  #askHealth(): { end(): Promise<number> } {
    const took: number[] = [];
    let isOver = false;
    const asking = (async () => {
      while (!isOver) {
        const begunMs = performance.now();
        await this.#world.admin.get('/healthz');
        took.push(performance.now() - begunMs);
        await sleep(everyMs);
      }
    })();
    return {
      async end() {
        isOver = true;
        await asking;
        return took.sort((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? 0;
      },
    };
  }

  async #tagged(tag: string): Promise<number> {
    return (await this.#limiter.sql<{ id: number }>('select id from "group" where tag = $1', [tag]))[0]!.id;
  }

  async #join(groupID: number, which: string): Promise<void> {
    await this.#limiter.sql(
      `insert into group_member (group_id, element_type, member_id) select $1, $2, p.id from port p where p.${which}`,
      [groupID, elementCodes.PORT],
    );
  }

  #fault(what: string): void {
    this.report.faults.push(what);
  }
}
