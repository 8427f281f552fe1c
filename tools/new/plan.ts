import { deletes, type Pattern, ranking } from '@portreeve/server/kernel/declare/declaration.ts';

/** An operation of the contract, as catalogue.json has it. */
export interface ContractOperation {
  section: string;
  group: string;
  method: string;
  path: string;
}

/** A group as it is begun: what its names are, and which of its operations the kernel serves by itself. */
export interface Plan {
  domain: string;
  /** `coffee-machine`: folder, files, noun of the command line. */
  name: string;
  /** `coffeeMachine`: the declaration. */
  constant: string;
  /** `coffee_machine`: the table. */
  table: string;
  /** `Coffee machine`: as the contract names the group. */
  title: string;
  path: string;
  patterns: readonly Pattern[];
  /** Operations that are no pattern: each becomes an action. */
  actions: readonly string[];
}

/** Where each pattern is served, from the path of the group. */
const places: Readonly<Partial<Record<Pattern, string>>> = {
  list: 'GET ',
  fetch: 'GET /{id}',
  count: 'GET /count',
  countAll: 'GET /count/all',
  usage: 'GET /{id}/usage',
  create: 'POST ',
  update: 'POST /{id}',
  deleteOne: 'DELETE /{id}',
  deleteByPost: 'POST /{id}/delete',
  deleteMany: 'POST /delete',
  enable: 'POST /{id}/enable',
  disable: 'POST /{id}/disable',
  rankSet: 'POST /rank/set',
  rankSwap: 'POST /rank/swap',
};

const kebab = (words: string): string => words.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
const camel = (name: string): string => name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** Reads the contract for a group; undefined where it has no group of that name. */
export function planOf(domain: string, name: string, contract: readonly ContractOperation[]): Plan | undefined {
  const operations = contract.filter(({ group }) => kebab(group) === name);
  const title = operations[0]?.group;
  if (title === undefined) return undefined;
  const path = operations.map((operation) => operation.path).sort((a, b) => a.length - b.length)[0]!;
  const left = new Set(operations.map((operation) => `${operation.method} ${operation.path}`));
  const patterns = (Object.keys(places) as Pattern[]).filter((pattern) => {
    const [method, rest] = places[pattern]!.split(' ') as [string, string];
    return left.delete(`${method} ${path}${rest}`);
  });
  return {
    domain,
    name,
    constant: camel(name),
    table: name.replaceAll('-', '_'),
    title,
    path,
    patterns,
    actions: [...left].sort(),
  };
}

/** The list of patterns as it is written in a declaration. */
export function patternsText(patterns: readonly Pattern[]): string {
  const isWhole = (some: readonly Pattern[]) => some.every((pattern) => patterns.includes(pattern));
  const words = patterns.map((pattern) => {
    for (const [word, some] of Object.entries({ deletes, ranking }) as [string, readonly Pattern[]][])
      if (some.includes(pattern) && isWhole(some)) return some[0] === pattern ? `...${word}` : '';
    return `'${pattern}'`;
  });
  return `[${words.filter((word) => word !== '').join(', ')}]`;
}
