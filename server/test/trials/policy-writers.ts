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
  /** As many bound what they may move as do not. */
  writers: number;
  /** Of each. */
  writes: number;
  seed: number;
}

export interface PolicyWritersReport {
  /** Writes that were stored: with a bound, of these such as moved somebody, and without one. */
  bounded: number;
  boundedAndMoving: number;
  unbounded: number;
  /** Writes that were refused because they would move too many, or because others wrote all the time. */
  refused: number;
  overtaken: number;
  generations: number;
  faults: string[];
}

/** A write, and whether it changes what decides; undefined: that depends on what others have written. */
interface Write {
  path: string;
  body?: object;
  method?: 'DELETE';
  decides: boolean | undefined;
}

/** A write that was answered. */
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

/** Many writers of policies and groups at two nodes, half of them with a bound on whom they move; then every generation is decided by, and compared with the one before. */
export async function policyWritersTrial(world: World, options: PolicyWritersOptions): Promise<PolicyWritersReport> {
  const trial = new PolicyWritersTrial(world, options);
  await trial.fill();
  const other = await openNode({ database: world.database });
  const history = await PolicyHistory.record(world.database.ownerUrl);
  try {
    await trial.write([world.service, other]);
    await trial.judge(history);
  } finally {
    await history.close();
    await other.close();
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
    const found = await this.#limiter.sql<{ id: number }>(
      'select port_id as id from connection_active order by port_id',
    );
    ids.ports = found.map(({ id }) => id);
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
      const at = { logicalNetworkID: networkID, elementType: 'CONTAINER', elementID: 1 };
      const value = { accessType: 'VLAN_ID', accessValue: this.#vlan() };
      ids.values.push(await admin.create(logicalNetworkConfiguration, { ...at, ...value }));
      const granted = { name: `to ${n}`, type: 'LOGICAL_NETWORK', logicalNetworkID: networkID };
      ids.configurations.push(await admin.create(accessConfiguration, granted));
    }
    for (let n = 0; n < policies; n++) ids.policies.push(await admin.create(accessPolicy, this.#policy()));
  }

  /** Writers take the nodes in turn. Each has an account of its own: two bounded writes of one account may be under way. */
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

  /** No two are the same until all were used. */
  #vlan(): string {
    return String(firstVlan + (this.#made++ % vlans));
  }

  #any<T>(of: readonly T[]): T {
    return of[Math.floor(this.#random() * of.length)]!;
  }

  async judge(history: PolicyHistory): Promise<void> {
    const raised = await history.raised();
    this.report.generations = raised.length;
    const byRequest = new Map(this.#sent.map((sent) => [String(sent.reply.headers['x-request-id']), sent]));
    this.#judgeAnswers(raised);
    await this.#judgeMoves(history, raised, byRequest);
    await this.#judgeRanks();
  }

  /** Each answer says what was done, and the generation rose where something decides otherwise, and nowhere else. */
  #judgeAnswers(raised: readonly Raised[]): void {
    const raising = new Set(raised.flatMap(({ requests }) => requests));
    for (const { max, reply, decides, path } of this.#sent) {
      const { code, text } = reply;
      const hasRaised = raising.has(String(reply.headers['x-request-id']));
      if (code < 300) {
        this.report[max === undefined ? 'unbounded' : 'bounded']++;
        if (decides !== undefined && decides !== hasRaised)
          this.#fault(`${path} decides: ${decides}, and the generation rose: ${hasRaised}`);
        continue;
      }
      if (hasRaised) this.#fault(`${path} answered ${code}, and the generation rose: ${text}`);
      if (code === 409 && max !== undefined) this.#judgeRefusal(max, reply);
      // A policy that somebody else has removed, or groups that would form a circle.
      else if (code !== 404 && code !== 422) this.#fault(`${path} answered ${code}: ${text}`);
    }
    for (const { generation, requests } of raised)
      if (requests.length !== 1) this.#fault(`generation ${generation} is of ${requests.length} requests`);
  }

  #judgeRefusal(max: number, { body, text }: Reply): void {
    const [, changed, allowed] = tooMany.exec(body.errorMessage ?? '') ?? [];
    if (changed !== undefined) {
      this.report.refused++;
      if (Number(changed) <= max || Number(allowed) !== max) this.#fault(`maxImpact ${max} was refused: ${text}`);
    } else if (/policies were changed \d+ times/.test(text)) this.report.overtaken++;
    else this.#fault(`maxImpact ${max} was refused: ${text}`);
  }

  /** Nobody who named a bound has moved more. */
  async #judgeMoves(
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
      this.#fault('the node decides otherwise than the last generation');
  }

  async #judgeRanks(): Promise<void> {
    const rows = await this.#limiter.sql<{ rank: number }>('select rank from access_policy order by rank');
    if (rows.some(({ rank }, n) => rank !== n + 1)) this.#fault(`ranks: ${rows.map(({ rank }) => rank)}`);
  }

  #fault(what: string): void {
    this.report.faults.push(what);
  }
}
