import { type Plan, patternsText } from './plan.ts';

/** The declaration, with the fields that most groups have; the rest is written by hand from the specification. */
export function declarationText({ constant, name, title, path, patterns }: Plan): string {
  const words = patternsText(patterns);
  const ranks = patterns.includes('rankSet');
  const enables = patterns.includes('enable');
  const helpers = ['collection', ...['deletes', 'ranking'].filter((word) => words.includes(`...${word}`))];
  const kinds = ['identity', 'modified', 'text', 'version', ...(ranks ? ['rank'] : []), ...(enables ? ['flag'] : [])];
  return `import { ${helpers.join(', ')} } from '../../kernel/declare/declaration.ts';
import { ${kinds.sort().join(', ')} } from '../../kernel/declare/field.ts';

/** ${title}: what one is to an administrator, in a sentence. */
export const ${constant} = collection({
  name: '${name}',
  title: '${title}',
  path: '${path}',
  permission: 'system-settings',
  doc: '${title}: what these records are for.',
  patterns: ${words},
  example: { name: 'First' },
  fields: {
    id: identity(),
    version,
    ...modified,
    name: text({ min: 1, max: 60, unique: true, search: true }),${ranks ? '\n    rank,' : ''}${enables ? '\n    enabled: flag({ default: true }),' : ''}
  },
});
`;
}

const provenTest = 'a name is taken once';

/** The conformance tests, and one test of its own that its row in docs/proofs cites. */
export const testText = ({ constant, name, title }: Plan): string => `import { describe, expect, test } from 'vitest';
import { testCollection } from '../../../test/conformance/conformance.ts';
import { world } from '../../../test/world/world.ts';
import { ${constant} } from './${name}.ts';

describe('${title}', async () => {
  const shared = await world();

  testCollection(${constant}, { world: shared, sample: (n) => ({ name: \`${name}-\${n}\` }) });

  test('${provenTest}', async () => {
    const { admin } = shared;
    expect((await admin.post(${constant}.path!, { name: 'only' })).code).toBe(201);
    expect((await admin.post(${constant}.path!, { name: 'only' })).body.status).toBe('duplicate');
  });
});
`;

/** The page of a domain that has none yet. */
export const proofsHead = (domain: string): string => `# Proofs: ${domain}

[How to read and extend this page](../../CONTRIBUTING.md#proofs).

| Group | Clause | Shown by | Waits for |
|---|---|---|---|
`;

export const proofRow = ({ domain, name, title }: Plan): string =>
  `| ${title} | two records never share a name | \`${domain}/${name}/${name}.test.ts\`: “${provenTest}” | |`;

/** What binds the group: its rules, actions and jobs are added here as they are written. */
export const moduleText = ({ constant, name, title }: Plan): string => `import { resource } from '../../context.ts';
import { ${constant} } from './${name}.ts';

export const ${constant}Module = resource('${title}', ${constant});
`;

/** Adds the module to the catalogue, as entry number `place` from 0: one import and one line. */
export function withCatalogueLine(source: string, { constant, domain, name }: Plan, place: number): string {
  const imported = `import { ${constant}Module } from './${domain}/${name}/${name}.module.ts';`;
  const lines = withImport(source, imported).split('\n');
  const first = lines.findIndex((line) => /^export const catalogue\b.*= \[$/.test(line)) + 1;
  const end = lines.indexOf('];', first);
  if (first === 0 || end < first + place)
    throw new Error(`catalogue.ts has no list "catalogue" with a line for each of ${place} groups`);
  lines.splice(first + place, 0, `  ${constant}Module,`);
  return lines.join('\n');
}

/** Adds the table to the interface that actions read by. */
export function withTableLine(source: string, { constant, domain, name, table }: Plan): string {
  const added = withImport(source, `import type { ${constant} } from './${domain}/${name}/${name}.ts';`);
  const head = /export interface Database \{\n/.exec(added);
  if (!head) throw new Error('database.ts has no interface Database');
  const at = head.index + head[0].length;
  return `${added.slice(0, at)}  ${table}: RowOf<typeof ${constant}>;\n${added.slice(at)}`;
}

/** The formatter sorts imports afterwards. */
const withImport = (source: string, line: string): string => `${line}\n${source}`;
