import type pg from 'pg';
import { networkDevice } from '../../src/device/network-device/network-device.ts';
import { observePorts } from '../../src/device/port/observe-ports.ts';
import { systemOrigin } from '../../src/kernel/declare/caller.ts';
import { foldCounters } from '../../src/kernel/operations/maintenance-jobs.ts';
import { depthMax } from '../../src/system/group/nesting.ts';
import type { Client, Reply } from '../world/client.ts';
import type { World } from '../world/open-world.ts';
import { generator } from './storm.ts';

export interface GroupsTrialOptions {
  /** Ports in the large group. */
  members: number;
  /** How many other groups there are. */
  groups: number;
  editors: number;
  /** Edits of each editor. */
  edits: number;
  seed: number;
  /** Called after each step with its duration. */
  reported?(what: string, ms: number): void;
}

export interface GroupsTrialReport {
  /** The durations, in the order of the steps. */
  times: { what: string; ms: number }[];
  /** How many edits of the nesting succeeded, and how many were refused as a cycle or as too deep. */
  edits: { won: number; refused: number };
  /** Deviations from the expected state. */
  faults: string[];
}

const root = '/system/group';
const deep = 10;
/** Rows of one statement, so that none exceeds the statement timeout. */
const atOnce = 50_000;

/**
 * Fills a large group ten levels below others and many other groups, measures each step, lets editors nest groups at
 * the same time, and checks the result.
 */
export async function groupsTrial(world: World, options: GroupsTrialOptions): Promise<GroupsTrialReport> {
  const trial = new GroupsTrial(world, options);
  await trial.fill();
  await trial.measure();
  await trial.edit();
  return trial.report;
}

class GroupsTrial {
  readonly report: GroupsTrialReport = { times: [], edits: { won: 0, refused: 0 }, faults: [] };
  readonly #world: World;
  readonly #options: GroupsTrialOptions;
  readonly #random: () => number;
  #large = 0;
  #top = 0;
  #half = 0;
  #ports: { first: number; last: number } = { first: 0, last: 0 };

  constructor(world: World, options: GroupsTrialOptions) {
    this.#world = world;
    this.#options = options;
    this.#random = generator(options.seed);
  }

  get #admin(): Client {
    return this.#world.admin;
  }

  get #pool(): pg.Pool {
    return this.#world.service.runtime.pool;
  }

  /** Runs a statement in a transaction, which may take longer than a read. */
  #sql<R extends object>(text: string, values: unknown[] = []): Promise<R[]> {
    const { runtime } = this.#world.service;
    return runtime.transact(systemOrigin('trial'), async ({ client }) => (await client.query<R>(text, values)).rows);
  }

  #fault(what: string): void {
    this.report.faults.push(what);
  }

  async #timed<T>(what: string, work: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await work();
    this.#took(what, performance.now() - start);
    return result;
  }

  #took(what: string, ms: number): void {
    this.report.times.push({ what, ms });
    this.#options.reported?.(what, ms);
  }

  async #answered(what: string, code: number, call: () => Promise<Reply>): Promise<Reply> {
    const reply = await this.#timed(what, call);
    if (reply.code !== code) this.#fault(`${what} answered ${reply.code}: ${reply.text.slice(0, 200)}`);
    return reply;
  }

  #create(type: string, body: object): Promise<number> {
    return this.#admin.create({ path: `${root}/${type}` }, body as Record<string, unknown>);
  }

  /** Creates the ports, the large group with all of them ten levels deep, and one with the first 50,000. */
  async fill(): Promise<void> {
    const { members, groups } = this.#options;
    await this.#timed(`made ${members} ports`, () => this.#makePorts(members));
    await this.#timed(`made ${groups} groups`, () =>
      this.#sql(
        `with made as (
           insert into "group" (type, name, description, user_group, source, enforcement, access_policy, days_valid, days_inactive)
           select 'PORT', 'beside-' || n, '', true, 'LOCAL', 'NONE', -1, 0, 0 from generate_series(1, $1::integer) n returning id
         ) insert into group_closure (ancestor_id, descendant_id, depth) select m.id, m.id, 0 from made m`,
        [groups],
      ),
    );
    this.#large = await this.#create('PORT', { name: 'large' });
    this.#half = await this.#create('PORT', { name: 'half' });
    this.#top = this.#large;
    for (let n = 1; n <= deep; n++)
      this.#top = await this.#create('PORT', { name: `above-${n}`, childGroups: [this.#top] });
    await this.#timed(`added the ${members} members of the large group`, () => this.#gather(this.#large, members));
    await this.#gather(this.#half, Math.min(50_000, members));
    // The service does this each minute, and autovacuum analyzes.
    await foldCounters(this.#world.service.runtime);
    await this.#sql('analyze group_member');
    await this.#sql('analyze group_closure');
    await this.#sql('analyze "group"');
  }

  /** Creates one port as a poll would, and copies of it. */
  async #makePorts(count: number): Promise<void> {
    const first = await this.#world.service.runtime.transact(systemOrigin('trial'), async ({ records, client }) => {
      const { id: deviceID } = await records.create(networkDevice, { name: 'trial', containerID: 1 });
      await observePorts(client, [{ deviceID, name: 'Gi1', ifindex: '1' }]);
      const { rows } = await client.query<{ id: number }>('select p.id from port p');
      return rows[0]!.id;
    });
    const [like] = await this.#sql<{ columns: string }>(
      `select string_agg(quote_ident(a.attname), ', ') as columns from pg_attribute a
       where a.attrelid = 'port'::regclass and a.attnum > 0 and not a.attisdropped and a.attname not in ('id', 'name', 'ifname', 'port_id', 'ifindex')`,
    );
    for (let start = 2; start <= count; start += atOnce)
      await this.#sql(
        `insert into port (${like!.columns}, name, ifname, port_id, ifindex)
         select ${like!.columns}, 'Gi' || n, 'Gi' || n, n::text, n::text from port p cross join generate_series($2::integer, $3::integer) n
         where p.id = $1 order by n`,
        [first, start, Math.min(start + atOnce - 1, count)],
      );
    this.#ports = { first, last: first + count - 1 };
  }

  async #gather(group: number, count: number): Promise<void> {
    const { first } = this.#ports;
    for (let start = 0; start < count; start += atOnce)
      await this.#sql(
        `insert into group_member (group_id, element_type, member_id)
         select $1, 3, p.id from port p where p.id between $2 and $3 order by p.id`,
        [group, first + start, first + Math.min(start + atOnce, count) - 1],
      );
  }

  #anyPort(): number {
    return this.#ports.first + Math.floor(this.#random() * this.#options.members);
  }

  async measure(): Promise<void> {
    await this.#membershipTests();
    await this.#lists();
    await this.#memberLists();
    await this.#memberEdits();
    await this.#nesting();
  }

  async #membershipTests(): Promise<void> {
    const test = async (port: number) => {
      const { rows } = await this.#pool.query<{ inside: boolean }>(
        `select exists (
           select from group_member m join group_closure c on c.descendant_id = m.group_id
           where m.element_type = 3 and m.member_id = $1 and c.ancestor_id = $2) as inside`,
        [port, this.#top],
      );
      return rows[0]!.inside;
    };
    const took: number[] = [];
    for (let n = 0; n < 500; n++) {
      const start = performance.now();
      if (!(await test(this.#anyPort()))) this.#fault('a member ten levels deep was not found');
      took.push(performance.now() - start);
    }
    took.sort((a, b) => a - b);
    this.#took('is a port in a group ten levels above: median of 500', took[250]!);
    this.#took('is a port in a group ten levels above: sixth slowest of 500', took[494]!);
  }

  async #lists(): Promise<void> {
    const page = await this.#answered('list of 1,000 groups with memberCount', 200, () => this.#admin.get(root));
    if (page.body.results!.length !== Math.min(1_000, page.body.total!))
      this.#fault('a page of groups has too few records');
    await this.#answered('the same sorted by memberCount', 200, () =>
      this.#admin.get(`${root}?sortKey=memberCount&sortDir=desc&count=100`),
    );
    await this.#answered('the same filtered by memberCount', 200, () =>
      this.#admin.get(`${root}?filter=memberCount=gt=10`),
    );
    const { body } = await this.#answered('fetch of the large group', 200, () =>
      this.#admin.get(`${root}/${this.#large}`),
    );
    if (body.results![0]!.memberCount !== this.#options.members)
      this.#fault('memberCount is not the number of members');
  }

  async #memberLists(): Promise<void> {
    const topPath = `${root}/${this.#top}`;
    const middle = this.#ports.first + Math.floor(this.#options.members / 2);
    const last = Math.max(0, this.#options.members - 1_000);
    await this.#answered('first 1,000 nested members', 200, () => this.#admin.get(`${topPath}/members?nested=true`));
    const walked = await this.#answered('1,000 nested members in the middle of a walk', 200, () =>
      this.#admin.get(`${topPath}/members?nested=true&after=${middle}`),
    );
    if (walked.body.results![0]?.id !== middle + 1)
      this.#fault('a list of members did not continue after the given position');
    await this.#answered('the last 1,000 by start', 200, () =>
      this.#admin.get(`${root}/${this.#large}/members?start=${last}`),
    );
    const half = await this.#answered('member-ids of 50,000', 200, () =>
      this.#admin.get(`${root}/${this.#half}/member-ids`),
    );
    if (half.body.results!.length !== Math.min(50_000, this.#options.members))
      this.#fault('member-ids is not complete');
    await this.#answered('member-ids of the large group', this.#options.members > 500_000 ? 422 : 200, () =>
      this.#admin.get(`${topPath}/member-ids`),
    );
    await this.#answered('descendants', 200, () => this.#admin.get(`${topPath}/descendants`));
  }

  async #memberEdits(): Promise<void> {
    const count = Math.min(10_000, this.#options.members);
    const ids = Array.from({ length: count }, (_, n) => this.#ports.first + n);
    const both = async (verb: string) => {
      for (let start = 0; start < count; start += 5_000) {
        const body = { elemID: ids.slice(start, start + 5_000), groupID: [this.#large] };
        const { code, text } = await this.#admin.post(`${root}/${verb}`, body);
        if (code !== 200) this.#fault(`${verb} answered ${code}: ${text.slice(0, 200)}`);
      }
    };
    await this.#timed(`remove-members of ${count}, by 5,000`, () => both('remove-members'));
    await this.#timed(`add-members of ${count}, by 5,000`, () => both('add-members'));
    const copy = await this.#answered('copy of the large group', 201, () =>
      this.#admin.post(`${root}/copy`, { id: this.#large, name: 'the copy' }),
    );
    if (copy.code !== 201) return;
    const copied = Number(String(copy.headers.location).split('/').at(-1));
    await this.#checkCounts([this.#large, this.#half, copied]);
    await this.#answered('delete of the copy', 200, () => this.#admin.delete(`${root}/${copied}`));
  }

  async #checkCounts(ids: readonly number[]): Promise<void> {
    const wrong = await this.#sql<{ id: number }>(
      `select g.id from unnest($1::bigint[]) g(id)
       where row_total('group_member:' || g.id) <> (select count(*) from group_member m where m.group_id = g.id)`,
      [ids],
    );
    for (const { id } of wrong) this.#fault(`the member count of group ${id} is wrong`);
  }

  async #nesting(): Promise<void> {
    const wide = await this.#create('PORT', { name: 'wide' });
    const children = await this.#sql<{ id: number }>(
      `select g.id from "group" g where g.name like 'beside-%' order by g.id limit 5000`,
    );
    const ids = children.map(({ id }) => id);
    await this.#answered(`put ${ids.length} groups below one`, 200, () =>
      this.#admin.post(`${root}/PORT/${wide}`, { childGroups: ids }),
    );
    await this.#answered('put that one ten levels deep', 200, () =>
      this.#admin.post(`${root}/add-to-parents`, { groupID: wide, parentID: [this.#large] }),
    );
    await this.#answered('descendants of the top', 200, () => this.#admin.get(`${root}/${this.#top}/descendants`));
    await this.#answered('take it out again', 200, () =>
      this.#admin.post(`${root}/remove-from-parent`, { parentID: this.#large, id: [wide] }),
    );
    await this.#answered('delete it', 200, () => this.#admin.delete(`${root}/${wide}`));
  }

  /** Each editor has its own edges, so the last successful edit of each edge determines the expected result. */
  async edit(): Promise<void> {
    const { editors, edits } = this.#options;
    const ids: number[] = [];
    for (let n = 0; n < 3 * editors; n++) ids.push(await this.#create('HOST', { name: `edited-${n}` }));
    const expected = new Set<string>();
    await this.#timed(`${editors} editors, ${edits} edits each`, () =>
      Promise.all(Array.from({ length: editors }, (_, editor) => this.#editor(editor, ids, expected))).then(
        () => undefined,
      ),
    );
    await this.#checkGraph(ids, expected);
  }

  async #editor(editor: number, ids: readonly number[], expected: Set<string>): Promise<void> {
    const random = generator(this.#options.seed + editor + 1);
    const pick = (): number => Math.floor(random() * ids.length);
    for (let n = 0; n < this.#options.edits; n++) {
      const [p, c] = [pick(), pick()];
      if (p === c || (p + c * ids.length) % this.#options.editors !== editor) {
        n--;
        continue;
      }
      const [parent, child] = [ids[p]!, ids[c]!];
      const adds = random() < 0.7;
      const { code, text } = adds
        ? await this.#admin.post(`${root}/add-to-parents`, { groupID: child, parentID: [parent], replace: false })
        : await this.#admin.post(`${root}/remove-from-parent`, { parentID: parent, id: [child] });
      if (code === 200) {
        this.report.edits.won++;
        expected[adds ? 'add' : 'delete'](`${parent} ${child}`);
      } else if (code === 422) this.report.edits.refused++;
      else this.#fault(`an edit returned ${code}: ${text.slice(0, 200)}`);
    }
  }

  async #checkGraph(ids: readonly number[], expected: ReadonlySet<string>): Promise<void> {
    const edges = await this.#sql<{ edge: string }>(
      `select e.parent_id || ' ' || e.child_id as edge from group_edge e where e.parent_id = any($1::bigint[])`,
      [ids],
    );
    const storedEdges = new Set(edges.map(({ edge }) => edge));
    for (const edge of expected.symmetricDifference(storedEdges))
      this.#fault(`the edge ${edge} is not in the state that its editor set`);
    const wrong = await this.#sql<{ ancestor: number; descendant: number }>(
      `with recursive walked (ancestor, descendant, depth) as (
         select g.id, g.id, 0 from "group" g
         union
         select w.ancestor, e.child_id, w.depth + 1 from walked w join group_edge e on e.parent_id = w.descendant
         where w.depth <= ${depthMax}
       ), known as (
         select w.ancestor, w.descendant, min(w.depth) as depth, max(w.depth) as longest from walked w group by w.ancestor, w.descendant
       )
       select coalesce(k.ancestor, c.ancestor_id) as ancestor, coalesce(k.descendant, c.descendant_id) as descendant
       from known k
       full join group_closure c on c.ancestor_id = k.ancestor and c.descendant_id = k.descendant
       where k.depth is distinct from c.depth or k.longest > ${depthMax} or (k.ancestor = k.descendant and k.longest > 0)
       limit 20`,
    );
    for (const { ancestor, descendant } of wrong)
      this.#fault(`the closure is wrong, or has a cycle, between ${ancestor} and ${descendant}`);
  }
}
