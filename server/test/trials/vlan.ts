import { setTimeout as sleep } from 'node:timers/promises';
import type { RecordedSet, SwitchSpec } from '@portreeve/testbed/snmp-switches.ts';
import type { Reply } from '../world/client.ts';
import type { World } from '../world/open-world.ts';
import { type ModelledSwitches, modelSwitches } from './modelled-switches.ts';

export interface VlanTrialReport {
  ports: number;
  /** Of the first request, and of the same request again. */
  seconds: number[];
  sets: number[];
  changes: { done: number; failed: number };
  faults: string[];
}

const vlan = 30;
const taskMsMax = 120_000;
const vlanStatic = '1.3.6.1.2.1.17.7.1.4.3.1';
const pvid = '1.3.6.1.2.1.17.7.1.4.5.1.1';
const vmVlan = '1.3.6.1.4.1.9.9.68.1.2.2.1.2';

/**
 * Puts ports of many switches into a VLAN by one request. Each switch must receive the SETs in the stated order, its
 * ports together and no value that it has already; only the ports of the refusing switch may fail, with its own error.
 */
export async function vlanTrial(
  world: World,
  options: { switches: number; portsEach: number },
): Promise<VlanTrialReport> {
  const specs = Array.from(
    { length: options.switches },
    (_, index): SwitchSpec => ({
      address: `127.0.36.${index + 1}`,
      sysName: `sw-${index + 1}`,
      kind: index % 3 === 2 ? 'cisco' : 'qbridge',
    }),
  );
  const switches = await modelSwitches(world, specs);
  try {
    return await new Trial(world, switches, specs, options.portsEach).run();
  } finally {
    await switches.stop();
  }
}

class Trial {
  readonly #world: World;
  readonly #switches: ModelledSwitches;
  readonly #specs: readonly SwitchSpec[];
  readonly #numbers: readonly number[];
  readonly #faults: string[] = [];
  /** The switch that refuses all writes. */
  readonly #refusing: string;

  constructor(world: World, switches: ModelledSwitches, specs: readonly SwitchSpec[], portsEach: number) {
    this.#world = world;
    this.#switches = switches;
    this.#specs = specs;
    this.#numbers = Array.from({ length: portsEach }, (_, index) => index + 1);
    this.#refusing = specs[0]!.address;
  }

  async run(): Promise<VlanTrialReport> {
    const { pool } = this.#world.service.runtime;
    const ids: number[] = [];
    for (const { address } of this.#specs)
      for (const number of this.#numbers) ids.push(Number((await this.#switches.portAt(address, number)).dbid));
    await this.#switches.failWrites(this.#refusing, { word: 'noAccess' });
    const first = await this.#put(ids);
    this.#checkReport(first.report);
    for (const spec of this.#specs) this.#checkSets(spec, first.sets.get(spec.address)!);
    const again = await this.#put(ids);
    for (const [address, sets] of again.sets)
      if (address !== this.#refusing && sets.length > 0) this.#faults.push(`${address} got the same values again`);
    const { rows } = await pool.query<{ done: number; failed: number; wordless: number }>(
      `select count(*) filter (where c.success)::integer as done, count(*) filter (where not c.success)::integer as failed,
         count(*) filter (where not c.success and c.error_message not like '%noAccess%')::integer as wordless
       from port_change c`,
    );
    const { wordless, ...changes } = rows[0]!;
    const refused = this.#numbers.length;
    if (changes.done !== ids.length - refused || changes.failed !== 2 * refused || wordless > 0)
      this.#faults.push(`${JSON.stringify(rows[0])} port changes of ${ids.length} ports, after two requests`);
    return {
      ports: ids.length,
      seconds: [first.seconds, again.seconds],
      sets: [first, again].map(({ sets }) => [...sets.values()].flat().length),
      changes,
      faults: this.#faults,
    };
  }

  /** Sends one request for all ports; returns the report and the SETs that the switches received. */
  async #put(id: readonly number[]) {
    for (const { address } of this.#specs) await this.#switches.takeSets(address);
    const began = performance.now();
    const reply = await this.#world.admin.post('/device/port/properties', { id, currentVlan: String(vlan) });
    const report = await this.#finished(reply);
    const sets = new Map<string, RecordedSet[]>();
    for (const { address } of this.#specs) sets.set(address, await this.#switches.takeSets(address));
    return { report, sets, seconds: (performance.now() - began) / 1_000 };
  }

  async #finished(reply: Reply): Promise<{ item: string; outcome: string; detail: string }[]> {
    if (reply.code !== 202) throw new Error(`${reply.code} instead of a task: ${reply.text}`);
    const path = String(reply.headers.location).replace('/api/v2', '');
    for (const began = Date.now(); Date.now() - began < taskMsMax; await sleep(50)) {
      const [task] = (await this.#world.admin.get(path)).body.results!;
      if (task!.state === 'FAILED') throw new Error(String(task!.errorMessage));
      if (task!.state === 'COMPLETED') return task!.report as never;
    }
    throw new Error('the task did not end');
  }

  #checkReport(report: readonly { item: string; outcome: string; detail: string }[]): void {
    for (const { item, outcome, detail } of report) {
      const refuses = item.startsWith(`${this.#specs[0]!.sysName} `);
      if (refuses ? outcome !== 'FAILED' || !detail.includes('noAccess') : outcome !== 'CHANGED')
        this.#faults.push(`${item}: ${outcome} ${detail}`);
    }
  }

  #checkSets({ address, kind }: SwitchSpec, sets: readonly RecordedSet[]): void {
    if (address === this.#refusing) return;
    const receivedSets = sets.map(
      ({ outcome, varbinds }) => `${outcome} ${varbinds.map(({ oid }) => columnOf(oid)).join(' ')}`,
    );
    const forEachPort = (column: string) => this.#numbers.map(() => column).join(' ');
    const lists = `noError ${vlanStatic}.2 ${vlanStatic}.4`;
    const stated =
      kind === 'cisco' ? [`noError ${forEachPort(vmVlan)}`] : [lists, `noError ${forEachPort(pvid)}`, lists];
    if (receivedSets.join('\n') !== stated.join('\n')) this.#faults.push(`${address} saw:\n${receivedSets.join('\n')}`);
    const joined = kind === 'cisco' ? undefined : sets[0]?.varbinds[0]?.oid;
    if (joined !== undefined && joined !== `${vlanStatic}.2.${vlan}`)
      this.#faults.push(`${address} saw ${joined} first`);
  }
}

/** Returns an OID without its index. */
const columnOf = (name: string): string => name.slice(0, name.lastIndexOf('.'));
