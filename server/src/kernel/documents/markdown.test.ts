import { describe, expect, test } from 'vitest';
import { anchorOf, markdownPage, titleOf } from './markdown.ts';

const shown = (text: string): string =>
  markdownPage(text, (target) => (target.startsWith('no') ? undefined : target)).text;

describe('a page in Markdown', () => {
  test.each([
    ['# A `b` title', '<h1>A <code>b</code> title</h1>'],
    ['two\nlines\n\nand more', '<p>two lines</p><p>and more</p>'],
    ['- a\n  goes on\n- b', '<ul><li>a goes on</li><li>b</li></ul>'],
    ['1. a\n2. **b**', '<ol><li>a</li><li><strong>b</strong></li></ol>'],
    ['> said\n> again', '<blockquote>said again</blockquote>'],
    ['[to](there.md#x) and [not](nowhere)', '<p><a href="there.md#x">to</a> and not</p>'],
    ['a * b * c, *em* and snake_case', '<p>a * b * c, <em>em</em> and snake_case</p>'],
    ['`a *b* [c](d)`', '<p><code>a *b* [c](d)</code></p>'],
    [
      '```sh\n# no heading\n| no | table\n```\nafter',
      '<pre tabindex="0"><code># no heading\n| no | table</code></pre><p>after</p>',
    ],
  ])('%j', (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test('has tables, in whose cells a bar can stand', () => {
    expect(shown('| A | B |\n|---|---|\n| `x \\| y` | z |')).toBe(
      '<div class="wide"><table><thead><tr><th scope="col">A</th><th scope="col">B</th></tr></thead>' +
        '<tbody><tr><td><code>x | y</code></td><td>z</td></tr></tbody></table></div>',
    );
  });

  test('has headings that can be linked, as repositories name them', () => {
    expect(shown("## What's the `RADIUS` engine?")).toContain('<h2 id="whats-the-radius-engine">');
    expect(anchorOf('Ageing and archives')).toBe('ageing-and-archives');
    expect(titleOf('text\n# Title\n## Other')).toBe('Title');
  });

  test('runs nothing that it holds', () => {
    const hostile = '<script>x</script> "quoted" [a](javascript:alert)';
    expect(
      shown(`# ${hostile}\n${hostile}\n\n| ${hostile} |\n|---|\n| ${hostile} |\n\n\`\`\`\n${hostile}\n`),
    ).not.toContain('<script');
  });

  test('ends, whatever it holds', () => {
    for (const text of ['```', '|', '- ', '#', '**', '[a](', '> ', '1.', '`', '\n\n'])
      expect(shown(text)).toBeTypeOf('string');
  });
});
