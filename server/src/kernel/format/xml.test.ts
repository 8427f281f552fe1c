import assert from 'node:assert/strict';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { manyRuns } from '../../../test/world/test-speed.ts';
import type { ListShape, ObjectShape, Shape } from '../declare/shape.ts';
import { Failure } from '../failure.ts';
import { readJson } from './json-reader.ts';
import { jsonWriter } from './json-writer.ts';
import { faultInText } from './text.ts';
import { readXml } from './xml-reader.ts';
import { xmlWriter } from './xml-writer.ts';

const instance = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';
const request = (content: string) => `<request ${instance}>${content}</request>`;

const text: Shape = { kind: 'text', max: 100 };
const integer: Shape = { kind: 'integer', min: 0, max: 99 };
const host: ObjectShape = {
  kind: 'object',
  properties: {
    name: text,
    owner: { ...text, nullable: true },
    vlan: integer,
    load: { kind: 'decimal', min: 0, max: 1 },
    isRogue: { kind: 'flag' },
    lastSeen: { kind: 'time' },
    ports: { kind: 'list', max: 9, item: integer },
    tags: { kind: 'map', max: 9, value: text },
  },
};

const anyText = fc
  .oneof(
    fc.string({ unit: 'binary' }),
    fc.string(),
    fc.constantFrom(
      '',
      ' ',
      '\r',
      '\r\n',
      '\t\n ',
      ']]>',
      '<a b="c">&amp;</a>',
      '<!-- -->',
      '&#13;',
      'é😀\u0085\u2028',
      '\x7f',
    ),
  )
  .filter((candidate) => faultInText(candidate) === undefined);

// Names that every object inherits, and those with a meaning in the XML of this API.
const propertyName = fc.constantFrom(
  'name',
  'deviceID',
  'item',
  'entry',
  'key',
  'request',
  'constructor',
  'toString',
  'a-b.c_1',
);

const anyShape = fc.letrec<{ shape: Shape }>((tie) => {
  const nullable = fc.boolean();
  const child = tie('shape');
  return {
    shape: fc.oneof(
      { depthSize: 'small' },
      fc.record({
        kind: fc.constantFrom('text', 'address', 'network'),
        max: fc.constant(100),
        nullable,
      }) as fc.Arbitrary<Shape>,
      fc.record({ kind: fc.constantFrom('integer', 'decimal'), min: fc.constant(0), max: fc.constant(9), nullable }),
      fc.record({ kind: fc.constantFrom('flag', 'time'), nullable }),
      fc.record({ kind: fc.constant('choice'), values: fc.constant(['', 'on & off', '<none>']), nullable }),
      fc.record({ kind: fc.constant('list'), max: fc.constant(9), item: child, nullable }),
      fc.record({ kind: fc.constant('map'), max: fc.constant(9), value: child, nullable }),
      fc.record({
        kind: fc.constant('object'),
        properties: fc.dictionary(propertyName, child, { maxKeys: 5, noNullPrototype: true }),
        nullable,
      }),
    ),
  };
}).shape;

function possibleValue(shape: Shape): fc.Arbitrary<unknown> {
  return shape.nullable ? fc.option(presentValue(shape), { freq: 3 }) : presentValue(shape);
}

function presentValue(shape: Shape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'integer':
      return fc.maxSafeInteger();
    case 'decimal':
      return fc
        .double({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, noNaN: true })
        .map((number) => (number === 0 ? 0 : number));
    case 'flag':
      return fc.boolean();
    case 'time':
      return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
    case 'choice':
      return fc.constantFrom(...shape.values);
    case 'list':
      return fc.array(possibleValue(shape.item), { maxLength: 4 });
    case 'map': {
      const key = anyText.filter((candidate) => candidate !== '__proto__');
      return fc.dictionary(key, possibleValue(shape.value), { maxKeys: 4, noNullPrototype: true });
    }
    case 'object': {
      const properties = Object.entries(shape.properties).map(
        ([name, property]) => [name, possibleValue(property)] as const,
      );
      return fc.record(Object.fromEntries(properties), { noNullPrototype: true });
    }
    default:
      return anyText;
  }
}

const shaped = anyShape.chain((shape) => fc.record({ shape: fc.constant(shape), value: presentValue(shape) }));

describe('the formats', () => {
  test('XML reads back as it was written, and so does JSON', () => {
    fc.assert(
      fc.property(shaped, ({ shape, value }) => {
        // Not toStrictEqual: it fails for properties called constructor.
        assert.deepStrictEqual(readXml(request(xmlWriter(shape)(value)), shape), value);
        const json = jsonWriter(shape)(value);
        // Not JSON.parse: after an object with the key "\\\\", that of Node 24 confuses "\\r" with it.
        assert.deepStrictEqual(readJson(json), value);
      }),
      { numRuns: manyRuns(500) },
    );
  });

  test('XML is well-formed even when text holds what XML cannot carry', () => {
    const anything = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) });
    fc.assert(
      fc.property(fc.oneof(anything, fc.string({ unit: 'binary' })), (value) => {
        const shape: Shape = { kind: 'object', properties: { name: text, tags: { kind: 'map', max: 9, value: text } } };
        const document = request(xmlWriter(shape)({ name: value, tags: JSON.parse(`{${JSON.stringify(value)}:""}`) }));
        new SaxesParser({ xmlns: true }).write(document).close();
        expect(faultInText(document)).toBe(undefined);
      }),
      { numRuns: manyRuns(500) },
    );
  });
});

describe('xmlWriter', () => {
  test('writes an element for each property, item and entry', () => {
    const value = {
      name: 'a\r<b>&"]]>',
      owner: null,
      vlan: 7,
      load: 0.5,
      isRogue: false,
      lastSeen: '2026-01-31T08:15:30.123Z',
      ports: [1, 2],
      tags: { 'a"\n': 'x', b: '' },
    };
    expect(xmlWriter(host)(value)).toBe(
      '<name>a&#13;&lt;b&gt;&amp;&quot;]]&gt;</name><owner xsi:nil="true"/><vlan>7</vlan><load>0.5</load><isRogue>false</isRogue>' +
        '<lastSeen>2026-01-31T08:15:30.123Z</lastSeen><ports><item>1</item><item>2</item></ports>' +
        '<tags><entry key="a&quot;&#10;">x</entry><entry key="b"></entry></tags>',
    );
  });

  test('writes a replacement character for one that XML 1.0 does not have', () => {
    expect(xmlWriter(text)('a\0\ud800\ufffe')).toBe('a\ufffd\ufffd\ufffd');
  });

  test('refuses a shape whose property cannot be the name of an element', () => {
    expect(() => xmlWriter({ kind: 'object', properties: { 'a b': text } })).toThrow('a b');
  });

  test('throws a bug for null at the root and for a missing property', () => {
    expect(() => xmlWriter({ ...text, nullable: true })(null)).toThrow('the value');
    expect(() => xmlWriter(host)({})).toThrow('name: it should be of kind text');
  });
});

function refusal(document: string, shape: Shape = host): string {
  try {
    readXml(document, shape);
  } catch (error) {
    if (error instanceof Failure && error.word === 'invalid') return `${error.message} ${error.faults[0]?.pointer}`;
    throw error;
  }
  throw new Error(`${document} was accepted`);
}

describe('readXml', () => {
  test('keeps text exactly, and ignores space between elements, comments and the space around numbers and flags', () => {
    const document = `<?xml version="1.0" encoding="UTF-8"?>
      <!-- a host -->
      ${request(`
        <name>  a<!-- c --><![CDATA[<b> ]]>&#13;\r\n</name>
        <vlan> 007 </vlan> <load>\t+.5e1\n</load> <isRogue> true </isRogue>
        <ports> <item> -0 </item> <!-- c --> </ports>
      `)}
      `;
    expect(readXml(document, host)).toStrictEqual({ name: '  a<b> \r\n', vlan: 7, load: 5, isRogue: true, ports: [0] });
  });

  test('reads an empty element as empty text, list, map or object', () => {
    expect(readXml('<request><name/><ports></ports><tags> </tags></request>', host)).toStrictEqual({
      name: '',
      ports: [],
      tags: {},
    });
    expect(readXml('<request/>', host)).toStrictEqual({});
  });

  test('reads a list and a single value at the root', () => {
    expect(readXml('<request><item>1</item><item>2</item></request>', { kind: 'list', max: 9, item: integer })).toEqual(
      [1, 2],
    );
    expect(readXml('<request>a</request>', text)).toBe('a');
  });

  test('reads nil under any prefix bound to the namespace of XML Schema instances, wherever it is bound', () => {
    expect(readXml(request('<owner xsi:nil="true"/><vlan xsi:nil="1"></vlan>'), host)).toEqual({
      owner: null,
      vlan: null,
    });
    expect(readXml(`<request><owner ${instance.replace('xsi', 'i')} i:nil="true"/></request>`, host)).toEqual({
      owner: null,
    });
    expect(readXml(request('<owner xsi:nil="false">a</owner>'), host)).toEqual({ owner: 'a' });
    expect(refusal('<request xmlns:xsi="urn:other"><owner xsi:nil="true"/></request>')).toContain(
      'xsi:nil of request/owner',
    );
    expect(refusal('<request><owner xsi:nil="true"/></request>')).toContain('unbound namespace prefix');
    expect(refusal('<request><owner nil="true"/></request>')).toContain('the attribute nil');
  });

  test('takes elements of any namespace by their local names', () => {
    const names = 'xmlns="urn:x" xmlns:b="urn:y"';
    expect(readXml(`<request ${names}><name>a</name><b:vlan>7</b:vlan></request>`, host)).toEqual({
      name: 'a',
      vlan: 7,
    });
    expect(readXml(`<b:request ${names}><ports><b:item>1</b:item></ports></b:request>`, host)).toEqual({ ports: [1] });
    expect(refusal(`<request ${names}><name>a</name><b:name>b</b:name></request>`)).toContain('appears twice');
  });

  test('keeps constructor as a key of a map, and pollutes nothing', () => {
    const result = readXml('<request><tags><entry key="constructor">a</entry></tags></request>', host) as {
      tags: object;
    };
    expect(Object.entries(result.tags)).toEqual([['constructor', 'a']]);
    expect(refusal('<request><tags><entry key="__proto__">a</entry></tags></request>')).toContain(
      '"__proto__" of request/tags',
    );
  });

  test('refuses a DOCTYPE', () => {
    expect(refusal('<!DOCTYPE request><request/>')).toContain('a DOCTYPE is not accepted; remove it');
  });

  test('refuses a billion laughs', () => {
    const laughs = Array.from(
      { length: 9 },
      (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`,
    ).join('');
    const document = `<!DOCTYPE request [<!ENTITY l0 "ha">${laughs}]><request><name>&l9;</name></request>`;
    expect(refusal(document)).toContain('a DOCTYPE is not accepted');
  });

  test('refuses an external entity', () => {
    const document = '<!DOCTYPE request [<!ENTITY f SYSTEM "file:///etc/passwd">]><request><name>&f;</name></request>';
    expect(refusal(document)).toContain('a DOCTYPE is not accepted');
  });

  test.each(['nbsp', 'constructor', '__proto__', 'toString'])('refuses the reference &%s;', (entity) => {
    expect(refusal(`<request><name>&${entity};</name></request>`)).toMatch(
      /undefined entity|malformed character entity/,
    );
  });

  test('refuses the same characters as JSON, bare or by reference, in text and in keys', () => {
    const codes = [
      ...Array(0xa1).keys(),
      0xd7ff,
      0xd800,
      0xdbff,
      0xdc00,
      0xdfff,
      0xe000,
      0xfffd,
      0xfffe,
      0xffff,
      0x1fffe,
      0x10ffff,
    ];
    const map: Shape = { kind: 'map', max: 9, value: text };
    for (const code of codes.filter((code) => !'<&"\t\n\r'.includes(String.fromCodePoint(code)))) {
      const char = String.fromCodePoint(code);
      for (const notation of [char, `&#${code};`, `&#x${code.toString(16)};`]) {
        const inText = request(`<entry key="a">${notation}</entry>`);
        const inKey = request(`<entry key="${notation}">a</entry>`);
        if (faultInText(char) === undefined) {
          expect(readXml(inText, map)).toEqual({ a: char });
          expect(readXml(inKey, map)).toEqual({ [char]: 'a' });
        } else {
          expect(refusal(inText, map)).toMatch(/disallowed character|malformed character entity|lone surrogate/);
          expect(refusal(inKey, map)).toMatch(/disallowed character|malformed character entity|lone surrogate/);
        }
      }
    }
  });

  test('refuses nesting deeper than 32 levels', () => {
    let deep: Shape = text;
    for (let level = 1; level < 40; level++) deep = { kind: 'list', max: 9, item: deep } satisfies ListShape;
    const nested = (depth: number) => request(`${'<item>'.repeat(depth - 1)}${'</item>'.repeat(depth - 1)}`);
    expect(readXml(nested(32), deep)).toBeInstanceOf(Array);
    expect(refusal(nested(33), deep)).toContain('nested deeper than 32 levels');
  });

  test('refuses more than 200,000 elements', () => {
    const list: Shape = { kind: 'list', max: 1e6, item: text };
    expect(readXml(request('<item/>'.repeat(199_999)), list)).toHaveLength(199_999);
    expect(refusal(request('<item/>'.repeat(200_000)), list)).toContain('more than 200000 elements');
  });

  test('refuses a repeated element', () => {
    expect(refusal('<request><name>a</name><vlan>1</vlan><name>a</name></request>')).toContain(
      'request/name appears twice',
    );
    expect(refusal('<request><tags><entry key="a"/><entry key="a"/></tags></request>')).toContain(
      'the key "a" of request/tags appears twice',
    );
  });

  test('refuses an unknown element with its position', () => {
    const list: Shape = { kind: 'list', max: 9, item: host };
    const message = refusal('<request>\n<item/>\n<item><nmae>a</nmae></item></request>', list);
    expect(message).toBe(
      'The XML is invalid at line 3, column 12: request/item has no element <nmae>; remove it or correct its name. /1/nmae',
    );
    expect(refusal('<request><toString/></request>')).toContain('no element <toString>');
  });

  test('refuses an unknown attribute', () => {
    expect(refusal('<request><name lang="en">a</name></request>')).toContain(
      'the attribute lang of request/name is unknown; remove it',
    );
    expect(refusal('<request><name key="en">a</name></request>')).toContain('the attribute key of request/name');
    expect(refusal(request('<name xsi:type="x">a</name>'))).toContain('the attribute xsi:type of request/name');
    expect(refusal('<request key="a"/>')).toContain('the attribute key of request');
  });

  test('refuses text between elements', () => {
    expect(refusal('<request><ports>1<item>2</item></ports></request>')).toContain(
      'request/ports contains elements, so it cannot contain text such as "1"',
    );
    expect(refusal('<request><![CDATA[a]]></request>')).toContain('cannot contain text such as "a"');
    expect(refusal('<request>\u00a0</request>')).toContain('contains elements, so it cannot contain text');
  });

  test.each([
    ['<request><vlan>ten</vlan></request>', 'request/vlan contains "ten", but must be an integer. /vlan'],
    ['<request><vlan/></request>', 'request/vlan contains "", but must be an integer'],
    ['<request><vlan>1.5</vlan></request>', 'must be an integer'],
    ['<request><vlan>\u00a01</vlan></request>', 'must be an integer'],
    ['<request><vlan>9007199254740992</vlan></request>', 'outside the exact range'],
    ['<request><load>1e400</load></request>', 'outside the exact range'],
    ['<request><load>Infinity</load></request>', 'must be a number'],
    ['<request><isRogue>yes</isRogue></request>', 'must be true or false'],
    ['<request><isRogue/></request>', 'must be true or false'],
    ['<request><lastSeen/></request>', 'request/lastSeen is empty, but must be a time'],
    [
      '<request><name><b>a</b></name></request>',
      'request/name is a single value, so it cannot contain elements such as <b>',
    ],
    [
      '<request><ports><port>1</port></ports></request>',
      'request/ports is a list of <item> elements, but contains <port>',
    ],
    [
      '<request><tags><item>1</item></tags></request>',
      'request/tags is a map of <entry key="…"> elements, but contains <item>',
    ],
    ['<request><tags><entry>1</entry></tags></request>', 'needs the attribute key'],
    [request('<owner xsi:nil="true">a</owner>'), 'request/owner is nil and must be empty'],
    [request('<ports xsi:nil="true"><item>1</item></ports>'), 'request/ports is nil and must be empty'],
    [request('<owner xsi:nil="yes"/>'), 'must be true or false'],
    ['<response/>', 'the root element must be <request>, not <response>'],
    ['<?xml version="1.0" encoding="ISO-8859-1"?><request/>', 'the encoding must be UTF-8, not "ISO-8859-1"'],
    ['<?xml version="1.1"?><request/>', 'the version must be 1.0, not "1.1"'],
    ['<?php echo 1 ?><request/>', 'the processing instruction "php" is not accepted'],
    ['<request><?php echo 1 ?></request>', 'the processing instruction "php" is not accepted'],
    ['<request><name>a\ud800</name></request>', 'The XML contains the lone surrogate U+D800'],
    ['', 'document must contain a root element'],
    ['<request>', 'unclosed tag: request'],
    ['<request></reqest>', 'unexpected close tag'],
    ['<request/><request/>', 'only one root'],
    ['<request/>a', 'text data outside of root'],
    ['<request><name a="1" a="2"/></request>', 'duplicate attribute'],
    ['<request><name>]]></name></request>', 'disallowed in char data'],
  ])('refuses %j with the reason', (document, reason) => {
    expect(refusal(document)).toContain(reason);
  });

  test('quotes only the first part of a long text', () => {
    const long = 'a'.repeat(100_000);
    for (const content of [`<${long}/>`, `<vlan>${long}</vlan>`, `<name ${long}="1"/>`, `<name></${long}>`, long])
      expect(refusal(request(content)).length).toBeLessThan(500);
  });
});
