import { readdirSync } from 'node:fs';
import pg from 'pg';
import { afterAll, describe, expect, test } from 'vitest';
import { migratedDatabase } from '../world/databases.ts';
import { identifiersOf } from './identifiers.ts';
import { sources } from './sources.ts';

/** Words that only the authors of a name understood. */
const privateWords = /sight|seer|poke|beside|rehears|andSeen|knock|wish|heard|told/i;

/**
 * Names that contain one nevertheless, and why. The list must match exactly, so that a new one is visible in review.
 */
const exceptions: readonly string[] = [
  // Columns in the pinned SQL of statements.
  'column api_token_rejection.told_at',
  'column trap_stranger.told_at',
];

const unusual = (names: Iterable<string>): string[] => [...names].filter((name) => privateWords.test(name)).sort();

describe('no unusual word is in the names', async () => {
  const database = await migratedDatabase();
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  test('of identifiers', () => {
    const findings = sources.flatMap(({ path, text }) =>
      unusual(identifiersOf(text)).map((name) => `${path}: ${name}`),
    );
    expect(findings).toEqual([]);
  });

  test('of files and folders', () => {
    const findings = ['../../src', '..'].flatMap((folder) =>
      unusual(readdirSync(new URL(folder, import.meta.url), { recursive: true, encoding: 'utf8' })),
    );
    expect(findings).toEqual([]);
  });

  test('of tables, columns, functions, triggers and all else in a migrated database', async () => {
    const { rows } = await client.query<{ name: string }>(`
      with own as (select n.oid from pg_namespace n where n.nspname !~ '^(pg_|information_schema$)')
      select case c.relkind when 'r' then 'table ' when 'p' then 'table ' when 'i' then 'index ' when 'I' then 'index ' else 'relation ' end || c.relname as name
      from pg_class c join own on own.oid = c.relnamespace
      union all
      select 'column ' || c.relname || '.' || a.attname
      from pg_attribute a join pg_class c on c.oid = a.attrelid join own on own.oid = c.relnamespace
      where a.attnum > 0 and not a.attisdropped and c.relkind in ('r', 'p', 'v', 'm')
      union all
      select 'function ' || p.proname from pg_proc p join own on own.oid = p.pronamespace
      union all
      select 'parameter ' || p.proname || '.' || x.name
      from pg_proc p join own on own.oid = p.pronamespace cross join unnest(p.proargnames) x(name)
      union all
      select 'trigger ' || t.tgname from pg_trigger t where not t.tgisinternal
      union all
      select 'constraint ' || k.conname from pg_constraint k join own on own.oid = k.connamespace`);
    expect(rows.length).toBeGreaterThan(1_000);
    expect(unusual(new Set(rows.map(({ name }) => name)))).toEqual([...exceptions].sort());
  });

  test('of channels that nodes notify each other by', async () => {
    const { rows } = await client.query<{ text: string }>(
      `select p.prosrc as text from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'`,
    );
    const texts = [...rows, ...sources.filter(({ path }) => !path.startsWith('..'))].map(({ text }) => text);
    const channels = texts.flatMap((text) =>
      [...text.matchAll(/(?:pg_notify\(|\b[Cc]hannel\w*\s*[=:]\s*|\blisten\s+)['"`]?([a-z]+_[a-z_]+)/g)].map(
        (match) => match[1]!,
      ),
    );
    expect(new Set(channels)).toContain('auth_changed');
    expect(unusual(new Set(channels))).toEqual([]);
  });
});

test('identifiersOf finds names in code, also within templates, and not in texts, comments or regular expressions', () => {
  const source = [
    'const first = `text @{second + `inner @{third({ fourth })} told`} told`; // told',
    "const text = 'told' + \"it's told\"; /* told */",
    'const pattern = /told[/`]/i.test(fifth) ? sixth / seventh / eighth : ninth;',
  ]
    .join('\n')
    .replaceAll('@{', '$\u007b');
  const identifiers = [...identifiersOf(source)].sort();
  const names = ['eighth', 'fifth', 'first', 'fourth', 'ninth', 'second', 'seventh', 'sixth', 'third'];
  expect(identifiers).toEqual([...names, 'const', 'pattern', 'test', 'text'].sort());
});
