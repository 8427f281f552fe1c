import fc from 'fast-check';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { describe, expect, test } from 'vitest';
import { cpuMsOf } from '../../../test/world/patience.ts';
import { manyRuns } from '../../../test/world/test-speed.ts';
import { faultInText } from '../../kernel/format/text.ts';
import { libraryIcons, readLibraryIcon } from './icon-library.ts';
import { cleanSvg } from './svg.ts';

class Refused extends Error {}
const refuse = (what: string): never => {
  throw new Refused(what);
};
const clean = (text: string): string => cleanSvg(text, refuse);

const xmlns = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xmlns:evil="urn:evil"';
const svg = (inside: string, attributes = ''): string => `<svg ${xmlns} ${attributes}>${inside}</svg>`;
const cleanInside = (inside: string): string =>
  /^<svg xmlns="[^"]+"(?:\/>|>(.*)<\/svg>)$/s.exec(clean(svg(inside)))?.[1] ?? '';

/** Returns all elements of a document, with a parser that is stricter than browsers. */
function elementsOf(text: string): SaxesTagNS[] {
  const openTags: SaxesTagNS[] = [];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => openTags.push(tag));
  parser.write(text).close();
  return openTags;
}

/** Content that must never be in the output, as a denylist independent of the allowlist. */
const forbiddenElements =
  /^(script|foreignobject|iframe|object|embed|image|feimage|a|animate.*|set|handler|listener|audio|video|link|meta|filter|pattern|marker|switch)$/i;
const forbiddenText = /javascript\s*:|vbscript\s*:|data\s*:|https?\s*:|\/\/|@import|\\|expression\(|url\((?!['"]?#)/i;

function faultsIn(text: string): string[] {
  const faults: string[] = [];
  for (const { name, local, uri, attributes } of elementsOf(text)) {
    if (forbiddenElements.test(local) || uri !== 'http://www.w3.org/2000/svg' || name !== local)
      faults.push(`<${name}>`);
    for (const [key, { value }] of Object.entries(attributes)) {
      if (key === 'xmlns') continue;
      if (/^on/i.test(key) || key.includes(':')) faults.push(key);
      if (key === 'href' ? !/^#[\w.:-]+$/.test(value) : forbiddenText.test(value)) faults.push(`${key}="${value}"`);
    }
  }
  for (const [, style] of text.matchAll(/<style(?:\s[^>]*[^>/])?>([^<]*)/g))
    if (/@|url|\\|\/\//i.test(style!)) faults.push(style!);
  return faults;
}

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign]!);

const elementName = fc.constantFrom(
  ...['svg', 'g', 'defs', 'path', 'rect', 'use', 'text', 'tspan', 'title', 'style', 'linearGradient', 'stop', 'mask'],
  ...['script', 'SCRIPT', 'foreignObject', 'image', 'a', 'animate', 'set', 'feImage', 'filter', 'iframe', 'pattern'],
  ...['evil:script', 'evil:path', 'switch', 'handler', 'clipPath', 'constructor'],
);
const attributeName = fc.constantFrom(
  ...['id', 'class', 'style', 'd', 'fill', 'stroke', 'transform', 'href', 'xlink:href', 'mask', 'clip-path', 'viewBox'],
  ...['onload', 'onclick', 'ONLOAD', 'evil:href', 'src', 'xml:base', 'from', 'to', 'attributeName', 'filter', 'target'],
);
const value = fc.oneof(
  fc.constantFrom(
    ...['#a', 'a', 'red', '0 0 24 24', 'url(#a)', "url('#a')", 'rotate(45)', 'M0 0h1', 'fill:red', 'fill:url(#a)'],
    ...['javascript:alert(1)', ' JavaScript :alert(1)', 'java\tscript:alert(1)', 'data:text/html,x', 'http://a.b/c'],
    ...['//a.b/c', 'url(http://a.b/c)', 'u\\72l(http://a.b)', 'url( "#a" )', 'image-set("x")', 'expression(alert(1))'],
    ...['fill:red;background:url(//a.b)', '@import "x"', '#a b', 'url(#a) url(http://a.b)', 'url(\'#a")', '"><script>'],
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const text = fc.oneof(
  value.map(escaped),
  value.filter((content) => !content.includes(']]>')).map((content) => `<![CDATA[${content}]]>`),
  fc.constantFrom(
    '.a{fill:red}',
    'g>path{stroke:#fff}',
    '@import url(x);',
    '&#60;script&#62;',
    '<!-- x -->',
    '<?x y?>',
  ),
);
const isXml = (content: string): boolean => faultInText(content) === undefined;

const { node } = fc.letrec<{ node: string }>((tie) => ({
  node: fc
    .tuple(
      elementName,
      fc.uniqueArray(fc.tuple(attributeName, value), { maxLength: 5, selector: ([name]) => name }),
      fc.array(fc.oneof({ maxDepth: 4, withCrossShrink: true }, text, tie('node')), { maxLength: 4 }),
    )
    .map(
      ([name, attributes, inside]) =>
        `<${name}${attributes.map(([key, attributeValue]) => ` ${key}="${escaped(attributeValue)}"`).join('')}>${inside.join('')}</${name}>`,
    ),
}));
const document = fc
  .array(node, { maxLength: 4 })
  .map((nodes) => svg(nodes.join('\n')))
  .filter(isXml);

describe('an SVG that was cleaned', () => {
  test('holds nothing that runs, embeds or leads elsewhere, is well-formed, and stays as it is when cleaned again', () => {
    let cleaned = 0;
    fc.assert(
      fc.property(document, (source) => {
        let once: string;
        try {
          once = clean(source);
        } catch (error) {
          // Invalid documents are refused; any other error is a bug.
          if (error instanceof Refused) return;
          throw error;
        }
        cleaned++;
        expect(faultsIn(once)).toEqual([]);
        expect(clean(once)).toBe(once);
      }),
      { numRuns: manyRuns(2_000) },
    );
    expect(cleaned).toBeGreaterThan(manyRuns(1_000));
  });

  test('is refused, or well-formed, whatever text it was', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.constantFrom(
            '<svg ',
            `<svg ${xmlns}>`,
            '</svg>',
            '<',
            '>',
            '&',
            'g',
            '/',
            '"',
            '=',
            '<!',
            '--',
            '[CDATA[',
            ']]>',
            ' ',
          ),
        ),
        (pieces) => {
          try {
            expect(faultsIn(clean(pieces.join('')))).toEqual([]);
          } catch (error) {
            if (!(error instanceof Refused)) throw error;
          }
        },
      ),
      { numRuns: manyRuns(2_000) },
    );
  });

  test('is there at once, whatever fills the 64 KiB that an icon may have', () => {
    for (const piece of ['M0', 'data ', 'url(#a', "url('#", 'rgb', 'a-', '(', '#', ' ', 'a:', ';', '*']) {
      const long = piece.repeat(65_000 / piece.length);
      const drawing = svg(
        `<path d="${long}" style="${long}" id="${long}"/><use href="#${long}"/><style>${long}</style>`,
      );
      expect(
        cpuMsOf(() => clean(drawing)),
        piece,
      ).toBeLessThan(1_000);
    }
  });

  test('keeps every part of a drawing: the icons of the library lose none', async () => {
    for (const name of libraryIcons.keys()) {
      const source = String((await readLibraryIcon(name))!.bytes);
      const drawn = (xml: string) =>
        elementsOf(xml).map(({ local, attributes }) => [
          local,
          Object.entries(attributes)
            .map(([key, { value: attributeValue }]) => [key, attributeValue])
            .sort(),
        ]);
      expect(drawn(clean(source)), name).toEqual(drawn(source));
    }
  });

  test.each([
    ['<script>alert(1)</script><path d="M0 0"/>', '<path d="M0 0"/>'],
    ['<g onload="alert(1)" ONCLICK="x" fill="red"/>', '<g fill="red"/>'],
    ['<image href="http://192.0.2.1/a.png"/><a href="javascript:x"><path/></a>', ''],
    ['<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><script/></body></foreignObject>', ''],
    ['<defs><g id="a"/></defs><use xlink:href="#a"/>', '<defs><g id="a"/></defs><use href="#a"/>'],
    ['<use href="other.svg#a"/><use href="data:image/svg+xml,x"/>', '<use/><use/>'],
    ['<use xlink:href="#old" href="#new"/>', '<use href="#new"/>'],
    ['<path href="#a" d="M0"/>', '<path d="M0"/>'],
    ['<rect fill="url(#a)" stroke="url(http://a.b/c)" mask="url(x.svg#m)"/>', '<rect fill="url(#a)"/>'],
    ['<rect fill="u\\72l(http://a.b)" style="fill:u\\72l(//a)"/>', '<rect/>'],
    [
      '<rect style="fill:red;stroke-width:2"/><rect style="fill:url(#a)"/>',
      '<rect style="fill:red;stroke-width:2"/><rect/>',
    ],
    ['<style>.a{fill:#fff}</style><style>@import "x";</style>', '<style>.a{fill:#fff}</style>'],
    ['<style><![CDATA[g>path{fill:red}]]></style>', '<style>g&gt;path{fill:red}</style>'],
    ['<style>.a{background:url(//a.b)}</style><style><g/></style>', ''],
    ['<animate attributeName="href" to="javascript:x"/><set/>', ''],
    ['<evil:path d="M0"/><g evil:href="#a" xml:base="http://a.b"/>', '<g/>'],
    ['<title>a &lt;b&gt; &amp; c</title><g>loose</g>', '<title>a &lt;b&gt; &amp; c</title><g/>'],
    ['<?xml-stylesheet href="http://a.b"?><!-- x --><g/>', '<g/>'],
  ])('%s becomes %s', (source, expected) => {
    expect(cleanInside(source)).toBe(expected);
  });

  test('has no prefix any more', () => {
    const source = '<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><s:g/><s:script/><g/></s:svg>';
    expect(clean(source)).toBe('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g/></svg>');
  });

  test.each([
    ['a DOCTYPE', `<!DOCTYPE svg>${svg('')}`],
    ['an entity of its own', `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${svg('&x;')}`],
    ['an unknown entity', svg('&constructor;')],
    ['another root', '<html xmlns="http://www.w3.org/1999/xhtml"/>'],
    ['no namespace', '<svg/>'],
    ['an open element', svg('<g>')],
    ['an unquoted attribute', svg('<g id=a/>')],
    ['a prefix from nowhere', svg('<x:g/>')],
    ['two roots', svg('') + svg('')],
    ['another encoding', `<?xml version="1.0" encoding="utf-16"?>${svg('')}`],
    ['too many levels', svg('<g>'.repeat(64) + '</g>'.repeat(64))],
    ['too many copies of itself', svg('<use href="#a"/>'.repeat(25))],
    ['too many masks of itself', svg('<g mask="url(#a)" clip-path="url(#b)"/>'.repeat(13))],
    ['nothing', ''],
  ])('does not come from a document with %s', (_, source) => {
    expect(() => clean(source)).toThrow(Refused);
  });
});
