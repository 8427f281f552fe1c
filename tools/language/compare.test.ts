import { describe, expect, test } from 'vitest';
import { type Allowed, countFolders, folderOf, loweredCeilings, raisedCeilings, tooMany } from './compare.ts';
import { countFile } from './places.ts';

const counted = (...sources: [file: string, source: string][]) =>
  new Map(sources.map(([file, source]) => [file, countFile(file, source)]));

/** A folder with some comments that are counted, and many that are not. */
const withComments = (unusual: number, plain = 0) =>
  countFolders(
    counted(['cli/src/a.ts', `${'// the node says so\n'.repeat(unusual)}${'// Returns the row.\n'.repeat(plain)}`]),
    [],
  ).folders;

describe('countFolders', () => {
  test('adds the files of a folder', () => {
    const { folders } = countFolders(
      counted(
        ['cli/src/a.ts', '// told'],
        ['cli/src/verbs/b.ts', '// told\nconst of = 1;'],
        ['server/src/host/c.ts', '//x'],
      ),
      [],
    );
    expect([...folders].map(([name, { places }]) => [name, places.length])).toEqual([
      ['cli/src', 3],
      ['server/src/host', 0],
    ]);
    expect(folderOf('server/src/context.ts')).toBe('server/src');
    expect(folderOf('vitest.config.ts')).toBe('.');
  });

  test('leaves out what the list allows, and returns entries that allow nothing', () => {
    const list: Allowed[] = [
      { kind: 'comments', path: 'cli/src/', text: 'asks for', reason: 'a person' },
      { kind: 'names', path: 'cli/src/a.ts', text: 'from', reason: 'start of a range' },
      { kind: 'names', path: 'cli/src/b.ts', text: 'from', reason: 'another file' },
    ];
    const source = '// the administrator asks for a list\nconst from = 1;\nconst fromHere = (of: number) => of + from;';
    const { folders, unused } = countFolders(counted(['cli/src/a.ts', source]), list);
    expect(folders.get('cli/src')!.places.map(({ text }) => text)).toEqual(['of']);
    expect(unused).toEqual([list[2]]);
  });
});

describe('ceilings', () => {
  test('a folder may have as much as its ceiling, and without one as much as the goal', () => {
    expect(tooMany(withComments(2), { 'cli/src': { comments: 2 } })).toEqual([]);
    expect(tooMany(withComments(3), { 'cli/src': { comments: 2 } })).toEqual([expect.stringContaining('3 comments')]);
    expect(tooMany(withComments(1), {})).toHaveLength(1);
    expect(tooMany(withComments(1, 199), {})).toEqual([]);
    expect(tooMany(withComments(2, 198), {})).toHaveLength(1);
  });

  test('are lowered and never raised, and end at the goal', () => {
    expect(loweredCeilings(withComments(3), undefined)).toEqual({ 'cli/src': { comments: 3 } });
    expect(loweredCeilings(withComments(3), { 'cli/src': { comments: 5 } })).toEqual({ 'cli/src': { comments: 3 } });
    expect(loweredCeilings(withComments(5), { 'cli/src': { comments: 3 } })).toEqual({ 'cli/src': { comments: 3 } });
    expect(loweredCeilings(withComments(1, 199), { 'cli/src': { comments: 3 } })).toEqual({});
    expect(loweredCeilings(withComments(1), {})).toEqual({});
  });

  test('that were raised since the start of a change are reported', () => {
    const earlier = { 'cli/src': { comments: 3 } };
    expect(raisedCeilings(earlier, { 'cli/src': { comments: 2 } })).toEqual([]);
    expect(raisedCeilings(earlier, { 'cli/src': { comments: 4 }, tools: { names: 1 } })).toHaveLength(2);
  });
});
