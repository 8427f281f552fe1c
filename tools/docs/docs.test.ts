import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { matches, shown } from './masks.ts';
import { blocksOf } from './page.ts';
import { runPage } from './run-page.ts';
import { terminalPicture } from './terminal-picture.ts';

const fence = '```';
const page = (...lines: string[]): string => lines.join('\n');

describe('the blocks of a page', () => {
  test('are those of sh and console, with their commands, continued lines and outputs', () => {
    const text = page(
      '# Title',
      `${fence}sh`,
      'a=1',
      'b=2',
      fence,
      `${fence}`,
      'not a command',
      fence,
      `   ${fence}console`,
      '   $ for i in 1 2; do',
      '   >   echo $i',
      '   > done',
      '   1',
      '   2',
      '   $ true',
      `   ${fence}`,
    );
    expect(blocksOf(text)).toEqual([
      {
        section: 'Title',
        line: 3,
        isCompared: false,
        skipped: null,
        steps: [{ command: 'a=1\nb=2', expected: [], line: 3 }],
      },
      {
        section: 'Title',
        line: 10,
        isCompared: true,
        skipped: null,
        steps: [
          { command: 'for i in 1 2; do\n  echo $i\ndone', expected: ['1', '2'], line: 10 },
          { command: 'true', expected: [], line: 15 },
        ],
      },
    ]);
  });

  test('have the reason why they do not run in a demonstration', () => {
    const text = page(`${fence}console`, '# Not in the demo: needs root', '$ whoami', 'root', fence);
    expect(blocksOf(text)).toMatchObject([{ skipped: 'needs root', steps: [{ command: 'whoami' }] }]);
  });
});

describe('an output matches its page', () => {
  const same = (expected: string, printed: string) => matches(expected.split('\n'), printed.split('\n'));

  test('if only ids, times, tokens, ports and spaces differ', () => {
    expect(same('location: /api/v2/device/container/4', 'location: /api/v2/device/container/77')).toBe(true);
    expect(same('[{"id":1,"name":"a"}]', '[{"id":22,"name":"a"}]')).toBe(true);
    expect(same('2026-01-01T00:00:00Z  UP', '2027-02-02T10:00:00.123Z UP')).toBe(true);
    expect(same('token prt_…', 'token prt_abc-DEF_1')).toBe(true);
    const textWithPort = (port: number) => `to 127.41.0.2:${port}`;
    expect(same(textWithPort(37_182), textWithPort(41_234))).toBe(true);
  });

  test('with … for any text, and in a line of its own for any lines', () => {
    expect(same('a…c', 'abc')).toBe(true);
    expect(same('first\n…\nlast', 'first\n2\n3\nlast')).toBe(true);
    expect(same('first\n…\nlast', 'first\nlast')).toBe(true);
  });

  test('does not match otherwise', () => {
    expect(same('{"filtered":3}', '{"filtered":4}')).toBe(false);
    expect(same('one', 'one\ntwo')).toBe(false);
    expect(same('one\ntwo', 'one')).toBe(false);
    expect(same('a.c', 'abc')).toBe(false);
    expect(same('', 'something')).toBe(false);
  });
});

test('a terminal shows neither colours nor overwritten text', () => {
  expect(shown('\x1b[1mname\x1b[22m\r\nworks\r100 %\r\n')).toEqual(['name', '100 %', '']);
});

test('a page runs in one shell, and reports which of its blocks differ', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-docs-test-'));
  try {
    const file = join(folder, 'page.md');
    const blocks = [
      ['# Keeping'],
      [`${fence}sh`, 'word=kept', fence],
      [`${fence}console`, '$ echo $word', 'kept', '$ echo right', 'wrong', fence],
      [`${fence}sh`, 'false', fence],
      [`${fence}sh`, '# Not in the demo: for a reason', 'exit 1', fence],
    ];
    await writeFile(file, page(...blocks.flat()));
    expect(await runPage(file, process.env)).toEqual({
      run: 3,
      skipped: 1,
      differing: 2,
      differences: [
        { place: `${file}:8`, command: 'echo right', expected: ['wrong'], printed: ['right', ''] },
        { place: `${file}:12`, command: 'false', expected: [], printed: [''] },
      ],
      sections: new Map([['Keeping', { commands: 4, seconds: expect.any(Number) }]]),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a picture of a terminal has its lines with their colours, and their content is text', () => {
  const picture = terminalPicture(
    ['$ run <it>', '\u001b[1mname\u001b[22m  \u001b[31mred & bold\u001b[39m'],
    40,
    'a "title"',
  );
  expect(picture).toContain('<tspan class="prompt">$</tspan> run &lt;it&gt;</text>');
  expect(picture).toContain('<tspan class="bold">name</tspan>  <tspan class="red">red &amp; bold</tspan></text>');
  expect(picture).toContain('aria-label="a &quot;title&quot;"');
});
