import type { Shape } from '../declare/shape.ts';
import { byteTable } from './byte-sink.ts';
import { compileWriter, type Dialect } from './json-writer.ts';

/**
 * Compiles the XML serializer of a shape: it writes the content of the root element, on which the caller declares
 * `xsi`.
 */
export function xmlWriter(shape: Shape): (value: unknown) => string {
  // Null at the root would need an attribute of the caller's element.
  return compileWriter({ ...shape, nullable: false }, xml);
}

const element = (name: string) => ({ before: `<${name}>`, after: `</${name}>`, nil: `<${name} xsi:nil="true"/>` });

export const xml: Dialect = {
  root: { before: '', after: '', nil: '' },
  object: ['', ''],
  list: ['', ''],
  separator: '',
  property(name) {
    if (!/^[a-zA-Z_][\w.-]*$/.test(name)) throw new Error(`The property ${name} cannot be the name of an XML element.`);
    return element(name);
  },
  item: element('item'),
  keyBefore: '<entry key="',
  entry: { before: '">', after: '</entry>', nil: '" xsi:nil="true"/>' },
  quote: '',
  text: (value) => (special.test(value) ? value.replace(specials, escapeText) : value),
  json: (value) => xml.text(JSON.stringify(value)),
  // The bytes of a longer character may encode one that XML does not allow, so `text` checks the complete character.
  plainBytes: byteTable(
    (byte) =>
      (byte >= 0x20 || byte === 0x09 || byte === 0x0a) && byte < 0x80 && !'<>&"'.includes(String.fromCharCode(byte)),
  ),
  // A parser replaces tabs and line ends in an attribute by spaces (XML 1.0, 3.3.3).
  key: (value) => xml.text(value).replace(/[\t\n]/g, (space) => `&#${space.charCodeAt(0)};`),
};

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\r': '&#13;',
};

// Characters that XML 1.0 does not allow are refused in requests; if one is in the database nevertheless, it must not
// make the complete response invalid.
const escapeText = (char: string) => entities[char] ?? '\ufffd';

// Markup, CR, and everything outside the Char production (XML 1.0, 2.2); in `v` mode Cs matches only lone surrogates.
const special = /[[<>\&"\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\x7f-\x9f]]/v;
const specials = new RegExp(special, 'gv');
