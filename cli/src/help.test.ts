import { readConfig } from '@portreeve/server/node/config.ts';
import { describe, expect, test } from 'vitest';
import { candidates, completeFor } from './completion.ts';
import { shippedGroups } from './groups.ts';
import { run } from './run.ts';
import { fakeScreen } from './testing/fake-screen.ts';
import { widthOf } from './text.ts';

const shown = async (...argv: string[]) => {
  const screen = fakeScreen(100);
  await run(argv, screen);
  return screen.out.written;
};
const groups = shippedGroups();

describe('help', () => {
  test('names every group and every command', async () => {
    const page = await shown();
    expect(groups.names.filter((name) => !page.includes(`  ${name} `))).toEqual([]);
    for (const word of ['serve', 'migrate', 'doctor', 'keys create FILE', 'login', 'completion SHELL'])
      expect(page).toContain(word);
    expect(await shown('help')).toBe(page);
    expect(await shown('--help')).toBe(page);
  });

  test('names every variable that a node reads, and every command that reads them', async () => {
    const variables = new Set<string>();
    const get = (_: object, name: string) => void variables.add(name);
    await readConfig(new Proxy({}, { get }));
    expect(variables.size).toBeGreaterThan(15);
    const page = await shown('help', 'environment');
    expect(page.split('\n').filter((line) => widthOf(line) > 100)).toEqual([]);
    expect([...variables].filter((name) => !page.includes(`  ${name} `))).toEqual([]);
    const words = page.replaceAll('\n', ' ');
    for (const name of ['serve', 'keys rotate', 'radius test', 'cell time-zone', 'token create USER'])
      expect(words).toMatch(new RegExp(`On a node, for [^:]*\\b${name}\\b`));
  });

  test('every verb of every group explains itself within the terminal', async () => {
    for (const name of groups.names) {
      const group = groups.find(name)!;
      expect(await shown(name)).toMatch(new RegExp(`^${name}: [A-Z]`));
      for (const verb of group.verbs.keys()) {
        const page = await shown('help', name, verb);
        expect(page).toContain('--json');
        const tooWide = page.split('\n').filter((line) => widthOf(line) > 100 && !line.startsWith('  {'));
        expect(tooWide).toEqual([]);
      }
    }
  });

  test('shows options and fields with their meaning', async () => {
    expect(await shown('aaa-server', 'create', '--help')).toMatch(/netId +Host name or address the service sends to/);
    expect(await shown('container', 'list', '--help')).toMatch(/--filter RSQL +Only matching records/);
    expect(await shown('help', 'container', 'list')).toBe(await shown('container', 'list', '--help'));
  });

  test('has one line and one page for a command that shares its name with a verb', async () => {
    const hostVerbs = (await shown('host')).split('\n').filter((line) => /^ {2}import/.test(line));
    expect(hostVerbs).toEqual([expect.stringMatching(/^ {2}import FILE +Import hosts from CSV/)]);
    for (const page of [await shown('host', 'import', '--help'), await shown('help', 'host', 'import')])
      expect(page.match(/^portreeve host import/gm)).toHaveLength(1);
    const tokenVerbs = (await shown('token')).split('\n').filter((line) => /^ {2}create/.test(line));
    expect(tokenVerbs).toEqual([expect.stringMatching(/^ {2}create \[USER\] +Issue an API token for yourself/)]);
    const twice = groups.names.flatMap((name) => {
      const names = [...groups.find(name)!.verbs.keys()];
      return names.filter((verb, index) => names.indexOf(verb) !== index);
    });
    expect(twice).toEqual([]);
  });

  test('shows the help of a command whose options come before its argument', async () => {
    const screen = fakeScreen(100);
    screen.env = { PORTREEVE_URL: 'http://nac.invalid', PORTREEVE_TOKEN: 'x' };
    // The command host import, unlike the verb, reads the file before it sends a request.
    await expect(run(['host', 'import', '--dry-run', '/nonexistent.csv'], screen)).rejects.toThrow(
      '/nonexistent.csv cannot be read: there is no such file or folder.',
    );
  });

  test('shows the exit codes', async () => {
    const page = await shown('--help', 'exit-codes');
    expect(page).toMatch(/ 6 {2}in-use, duplicate, protected, stale: /);
    expect(await shown('help', 'exit-codes')).toBe(page);
    expect(await shown('help', 'filters')).toContain('name==core-*');
  });

  test.each([
    [['contaner', 'list'], 'There is no command "contaner". Did you mean container?'],
    [['container', 'lst'], 'container has no "lst". Did you mean list?'],
    [['container', 'list', '--fliter', 'x'], 'This command has no option --fliter. Did you mean --filter?'],
    [['container', 'list', '--filter', '--json'], '--filter needs a value'],
    [['container', 'list', '--sort', 'a', '--sort', 'b'], '--sort is given twice.'],
    [['container', 'list', '--raw=yes'], '--raw takes no value.'],
    [['container', 'list', 'all'], 'Unexpected argument "all"'],
    [['container', 'get'], 'ID is missing. Usage: portreeve container get ID'],
    [['directory-agent-config', 'rank-swap', '1', '2', '--set', 'a=b'], 'This command has no option --set.'],
    [['keys'], 'A verb is missing. Available: portreeve keys create, portreeve keys rotate.'],
    [['serv'], 'Did you mean serve?'],
    [['container', 'list'], 'The URL of the service is not set'],
  ])('%s is refused with a sentence', async (argv, message) => {
    const screen = fakeScreen(100);
    screen.env = { HOME: '/nonexistent' };
    await expect(run(argv, screen)).rejects.toThrow(message);
  });
});

describe('verbs', () => {
  test('are the operations by short names', () => {
    const verbs = [...groups.find('directory-agent-config')!.verbs.values()].filter(({ isHidden }) => !isHidden);
    expect(verbs.map(({ name, positionals }) => [name, ...positionals].join(' '))).toEqual([
      'list',
      'get ID',
      'create',
      'update ID',
      'delete ID…',
      'usage ID',
      'enable ID',
      'disable ID',
      'rank ID RANK',
      'rank-swap ID ID',
      'export',
      'import FILE',
    ]);
  });

  test('reach every operation of the document', () => {
    const reached = new Set(groups.names.flatMap((name) => [...groups.find(name)!.operations.values()]));
    const spoken = new Set(
      groups.names.flatMap((name) => [...groups.find(name)!.verbs.values()].map((verb) => verb.operation)),
    );
    expect([...reached].filter((operation) => !spoken.has(operation)).map(({ id }) => id)).toEqual([]);
  });

  test('of a group are found by its synonyms', () => {
    expect(groups.find('audit-log')?.name).toBe('audit-record');
  });
});

describe('completion', () => {
  const words = (...typed: string[]) => candidates(typed).map(({ word }) => word);

  test('offers groups, verbs and options', () => {
    expect(words('conta')).toEqual(['container']);
    expect(words('container', 'ge')).toEqual(['get']);
    expect(words('keys', '')).toEqual(['create', 'rotate']);
    expect(words('container', 'list', '--col')).toEqual(['--columns']);
    expect(words('doctor', '--')).toEqual(['--json']);
    expect(words('completion', 'f')).toEqual(['fish']);
  });

  test('offers the fields of the record', () => {
    expect(words('container', 'list', '--sort', 'nam')).toEqual(['name']);
    expect(words('container', 'list', '--filter', 'nam')).toEqual(['name==']);
    expect(words('container', 'list', '--columns', 'id,nam')).toEqual(['id,name']);
    expect(words('aaa-server', 'create', '--set', 'netI')).toEqual(['netId=']);
    expect(words('directory-agent-config', 'update', '3', '--set', 'enabled=')).toEqual([
      'enabled=true',
      'enabled=false',
    ]);
  });

  test('joins the words that bash splits at =', () => {
    expect(completeFor('bash', ['directory-agent-config', 'update', '3', '--set', 'enabled', '=', 't'])).toBe(
      'true\t\n',
    );
    expect(completeFor('bash', ['container', 'list', '--sort', 'nam'])).toMatch(/^name\t/);
  });
});
