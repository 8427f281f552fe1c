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
