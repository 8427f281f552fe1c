import type { Shape } from '../declare/shape.ts';
import { byteTable } from './byte-sink.ts';
import { compileWriter, type Dialect } from './json-writer.ts';

/** Compiles the XML serializer of a shape: it writes what stands inside the root element, on which the caller declares `xsi`. */
export function xmlWriter(shape: Shape): (value: unknown) => string {
  // Null at the root would be an attribute of an element that is the caller's.
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
  // Behind the first byte of a longer character may stand what XML has no place for; `text` looks at it as a whole.
  plainBytes: byteTable(
    (byte) =>
      (byte >= 0x20 || byte === 0x09 || byte === 0x0a) && byte < 0x80 && !'<>&"'.includes(String.fromCharCode(byte)),
  ),
  // A parser turns bare tabs and line ends of an attribute into spaces (XML 1.0, 3.3.3).
  key: (value) => xml.text(value).replace(/[\t\n]/g, (space) => `&#${space.charCodeAt(0)};`),
};

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  '\r': '&#13;',
};

// What has no place in XML 1.0 is not let into the database; should it get there, it must not break a whole answer.
const escapeText = (char: string) => entities[char] ?? '\ufffd';

// Markup, CR, and all that is outside the Char production (XML 1.0, 2.2); in `v` mode Cs is a surrogate that stands alone.
const special = /[[<>\&"\p{Cc}\p{Cs}\ufffe\uffff]--[\t\n\x7f-\x9f]]/v;
const specials = new RegExp(special, 'gv');
