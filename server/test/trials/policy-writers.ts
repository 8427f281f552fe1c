import { elementCodes } from '../../src/kernel/declare/element-type.ts';
import type { Service } from '../../src/node/start-service.ts';
import { accessConfiguration } from '../../src/policy/access-configuration/access-configuration.ts';
import { accessPolicy } from '../../src/policy/access-policy/access-policy.ts';
import { logicalNetwork } from '../../src/policy/logical-network/logical-network.ts';
import { logicalNetworkConfiguration } from '../../src/policy/logical-network-configuration/logical-network-configuration.ts';
import { group } from '../../src/system/group/group.ts';
import { decideEverybody, movedBetween } from '../decide/everybody.ts';
import { Client, type Reply } from '../world/client.ts';
import { openNode, type World } from '../world/open-world.ts';
import { everyVerb, Limiter } from '../world/restricted-admins.ts';
import { fillCampus } from './churn/campus.ts';
import { PolicyHistory, type Raised } from './policy-history.ts';
import { generator } from './storm.ts';

export interface PolicyWritersOptions {
  connections: number;
  /** How many writers send maxImpact; as many others do not. */
  writers: number;
  /** Writes of each writer. */
  writes: number;
  seed: number;
}

export interface PolicyWritersReport {
  /** Stored writes: with maxImpact, those of them that moved a connection, and without maxImpact. */
  bounded: number;
  boundedAndMoving: number;
  unbounded: number;
  /** Writes that were refused because they would move too many connections, or because of concurrent changes. */
  refused: number;
  overtaken: number;
  generations: number;
  faults: string[];
}

/** A write, and whether it changes decisions; undefined if that depends on the other writers. */
interface Write {
  path: string;
  body?: object;
  method?: 'DELETE';
  decides: boolean | undefined;
}

/** A write with its response. */
interface Sent extends Write {
  max: number | undefined;
  reply: Reply;
}

const policies = 12;
const portGroups = 6;
const values = 8;
const firstVlan = 100;
const vlans = 3_900;
const maxima = [0, 1, 3, 10, 30];
const tooMany = /^This write would change (\d+) live connections?, and maxImpact allows (\d+); nothing was changed\./;

/**
 * Runs many writers of policies and groups on two nodes, half of them with maxImpact; then decides with every
 * generation, and compares it with the previous one.
 */
export async function policyWritersTrial(world: World, options: PolicyWritersOptions): Promise<PolicyWritersReport> {
  const trial = new PolicyWritersTrial(world, options);
  await trial.fill();
  const otherNode = await openNode({ database: world.database });
  const history = await PolicyHistory.record(world.database.ownerUrl);
  try {
    await trial.write([world.service, otherNode]);
    await trial.check(history);
  } finally {
    await history.close();
    await otherNode.close();
  }
  return trial.report;
}

class PolicyWritersTrial {
  readonly report: PolicyWritersReport = {
    bounded: 0,
    boundedAndMoving: 0,
    unbounded: 0,
    refused: 0,
    overtaken: 0,
    generations: 0,
    faults: [],
  };
  readonly #world: World;
  readonly #options: PolicyWritersOptions;
  readonly #limiter: Limiter;
  readonly #random: () => number;
  readonly #sent: Sent[] = [];
  readonly #ids = {
    policies: [] as number[],
    configurations: [] as number[],
    networks: [] as number[],
    values: [] as number[],
    groups: [] as number[],
    ports: [] as number[],
    enforced: 0,
  };
  #made = 0;

  constructor(world: World, options: PolicyWritersOptions) {
    this.#world = world;
    this.#options = options;
    this.#limiter = new Limiter(world);
    this.#random = generator(options.seed);
  }

  async fill(): Promise<void> {
    const { admin } = this.#world;
    const ids = this.#ids;
    await this.#limiter.transact((tx) => fillCampus(tx, this.#options.connections));
    const connectionPorts = await this.#limiter.sql<{ id: number }>(
      'select port_id as id from connection_active order by port_id',
    );
    ids.ports = connectionPorts.map(({ id }) => id);
    const [enforced] = await this.#limiter.sql<{ id: number }>(`select id from "group" where tag = 'enforce-role'`);
    ids.enforced = enforced!.id;
    await this.#limiter.sql(
      'insert into group_member (group_id, element_type, member_id) select $1, $2, p from unnest($3::bigint[]) p',
      [ids.enforced, elementCodes.PORT, ids.ports.filter((id) => id % 3 > 0)],
    );
    for (let n = 0; n < portGroups; n++) {
      const id = await admin.create({ path: `${group.path}/PORT` }, { name: `ports ${n}` });
      ids.groups.push(id);
      const members = ids.ports.filter((port) => port % (portGroups + n) === n);
      await admin.post(`${group.path}/add-members`, { elemID: members, groupID: [id] });
    }
    for (let n = 0; n < values; n++) {
      const networkID = await admin.create(logicalNetwork, { name: `network ${n}` });
      ids.networks.push(networkID);
      const target = { logicalNetworkID: networkID, elementType: 'CONTAINER', elementID: 1 };
      const value = { accessType: 'VLAN_ID', accessValue: this.#vlan() };
      ids.values.push(await admin.create(logicalNetworkConfiguration, { ...target, ...value }));
      const granted = { name: `to ${n}`, type: 'LOGICAL_NETWORK', logicalNetworkID: networkID };
      ids.configurations.push(await admin.create(accessConfiguration, granted));
    }
    for (let n = 0; n < policies; n++) ids.policies.push(await admin.create(accessPolicy, this.#policy()));
  }

  /**
   * Writers use the nodes in turn. Each has its own account, because two writes with maxImpact may run for one account.
   */
  async write(nodes: readonly Service[]): Promise<void> {
    const permissions = Object.fromEntries(['policy-access', 'groups', 'devices'].map((key) => [key, everyVerb]));
    const accounts = [];
    for (let n = 0; n < 2 * this.#options.writers; n++) accounts.push(await this.#limiter.caller({ permissions }));
    const writers = accounts.map(({ token }, n) => {
      const client = new Client(nodes[(n >> 1) % nodes.length]!.app, token);
      return this.#writer(client, n % 2 === 0);
    });
    await Promise.all(writers);
  }

  async #writer(client: Client, isBounded: boolean): Promise<void> {
    for (let n = 0; n < this.#options.writes; n++) {
      const write = this.#anyWrite();
      const max = isBounded ? this.#any(maxima) : undefined;
      const query = max === undefined ? '' : `?maxImpact=${max}`;
      const reply = await client.call(write.method ?? 'POST', `${write.path}${query}`, write.body);
      this.#sent.push({ ...write, max, reply });
    }
  }

  #anyWrite(): Write {
    const ids = this.#ids;
    const policy = `${accessPolicy.path}/${this.#any(ids.policies)}`;
    const pairs = { elemID: [this.#any(ids.ports), this.#any(ids.ports)], groupID: [this.#any(ids.groups)] };
    if (pairs.elemID[0] === pairs.elemID[1]) pairs.elemID.pop();
    const [first, second] = [this.#any(ids.groups), this.#any([...ids.groups, ids.enforced])];
    return this.#any<() => Write>([
      () => ({ path: policy, body: { rank: 1 + Math.floor(this.#random() * policies) }, decides: undefined }),
      () => ({ path: policy, body: { enabled: this.#random() < 0.7 }, decides: undefined }),
      () => ({ path: policy, body: { criteria: this.#criteria() }, decides: undefined }),
      () => ({
        path: `${accessConfiguration.path}/${this.#any(ids.configurations)}`,
        body: { name: `renamed ${++this.#made}` },
        decides: false,
      }),
      () => ({ path: accessPolicy.path!, body: this.#policy(), decides: true }),
      () => ({ path: policy, method: 'DELETE', decides: true }),
      () => ({
        path: `${logicalNetworkConfiguration.path}/${this.#any(ids.values)}`,
        body: { accessValue: this.#vlan() },
        decides: true,
      }),
      () => ({
        path: `${accessConfiguration.path}/${this.#any(ids.configurations)}`,
        body: { logicalNetworkID: this.#any(ids.networks) },
        decides: undefined,
      }),
      () => ({ path: `${group.path}/add-members`, body: pairs, decides: undefined }),
      () => ({ path: `${group.path}/remove-members`, body: pairs, decides: undefined }),
      () => ({
        path: `${group.path}/add-to-parents`,
        body: { groupID: first, parentID: first === second ? [] : [second] },
        decides: undefined,
      }),
    ])();
  }

  #policy(): Record<string, unknown> {
    return {
      name: `policy ${++this.#made}`,
      rank: 1,
      criteria: this.#criteria(),
      accessConfigurationID: this.#any(this.#ids.configurations),
    };
  }

  #criteria(): object {
    return { where: { portGroups: [this.#any(this.#ids.groups)] } };
  }

  /** Returns VLANs that are unique until all were used. */
  #vlan(): string {
    return String(firstVlan + (this.#made++ % vlans));
  }

  #any<T>(items: readonly T[]): T {
    return items[Math.floor(this.#random() * items.length)]!;
  }

  async check(history: PolicyHistory): Promise<void> {
    const raised = await history.raised();
    this.report.generations = raised.length;
    const byRequest = new Map(this.#sent.map((entry) => [String(entry.reply.headers['x-request-id']), entry]));
    this.#checkResponses(raised);
    await this.#checkMoves(history, raised, byRequest);
    await this.#checkRanks();
  }

  /**
   * Each response must match what was done, and the generation must rise exactly for the writes that change decisions.
   */
  #checkResponses(raised: readonly Raised[]): void {
    const raising = new Set(raised.flatMap(({ requests }) => requests));
    for (const { max, reply, decides, path } of this.#sent) {
      const { code, text } = reply;
      const hasRaised = raising.has(String(reply.headers['x-request-id']));
      if (code < 300) {
        this.report[max === undefined ? 'unbounded' : 'bounded']++;
        if (decides !== undefined && decides !== hasRaised)
          this.#fault(`${path} changes decisions: ${decides}, and the generation rose: ${hasRaised}`);
        continue;
      }
      if (hasRaised) this.#fault(`${path} returned ${code}, and the generation rose: ${text}`);
      if (code === 409 && max !== undefined) this.#checkRefusal(max, reply);
      // A policy that another writer has deleted, or groups that would form a cycle.
      else if (code !== 404 && code !== 422) this.#fault(`${path} answered ${code}: ${text}`);
    }
    for (const { generation, requests } of raised)
      if (requests.length !== 1) this.#fault(`generation ${generation} has ${requests.length} requests`);
  }

  #checkRefusal(max: number, { body, text }: Reply): void {
    const [, changed, allowed] = tooMany.exec(body.errorMessage ?? '') ?? [];
    if (changed !== undefined) {
      this.report.refused++;
      if (Number(changed) <= max || Number(allowed) !== max) this.#fault(`maxImpact ${max} was refused: ${text}`);
    } else if (/policies were changed \d+ times/.test(text)) this.report.overtaken++;
    else this.#fault(`maxImpact ${max} was refused: ${text}`);
  }

  /** No write with maxImpact may have moved more connections. */
  async #checkMoves(
    history: PolicyHistory,
    raised: readonly Raised[],
    byRequest: ReadonlyMap<string, Sent>,
  ): Promise<void> {
    const { service } = this.#world;
    const atMs = Date.now();
    const { zone } = (await service.policies.latest()).policies;
    const connected = await Array.fromAsync(service.policies.connected());
    let before = await history.decide(raised[0]!.generation - 1, zone, connected, atMs);
    for (const { generation, requests } of raised) {
      const after = await history.decide(generation, zone, connected, atMs);
      const moved = movedBetween(before, after).length;
      const max = byRequest.get(requests[0]!)?.max;
      if (max !== undefined && moved > max)
        this.#fault(`generation ${generation} moved ${moved}, with maxImpact ${max}`);
      if (max !== undefined && moved > 0) this.report.boundedAndMoving++;
      before = after;
    }
    if (movedBetween(before, await decideEverybody(service, atMs)).length > 0)
      this.#fault('the decisions of the node differ from those of the last generation');
  }

  async #checkRanks(): Promise<void> {
    const rows = await this.#limiter.sql<{ rank: number }>('select rank from access_policy order by rank');
    if (rows.some(({ rank }, n) => rank !== n + 1)) this.#fault(`ranks: ${rows.map(({ rank }) => rank)}`);
  }

  #fault(what: string): void {
    this.report.faults.push(what);
  }
}
