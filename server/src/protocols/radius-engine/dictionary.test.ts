import { expect, test } from 'vitest';
import { readDictionary } from './dictionary.ts';

const readFiles = (files: Record<string, string>) =>
  readDictionary('dictionary', async (name) => {
    if (files[name] === undefined) throw new Error(`no file ${name}`);
    return { name, text: files[name] };
  });

const plain = { vendor: null, vendorID: null, format: null, hasTag: false, encryptMethod: 0, definedValues: {} };

test('attributes have their vendor, flags and named values, also from included files', async () => {
  const attributes = await readFiles({
    dictionary: `# all of it
      $INCLUDE vendor
      ATTRIBUTE Tunnel-Password 69 string has_tag,encrypt=2 # as in RFC 2868
      ATTRIBUTE Service-Type 0x06 uint32
      VALUE service-type Login-User 1
      VALUE Nobody-Knows This 1
      ATTRIBUTE Tunnel-Password 69 string`,
    vendor: `VENDOR Wide 429 format=2,1
      BEGIN-VENDOR Wide
      ATTRIBUTE Wide-Key 300 octets[16]
      END-VENDOR Wide`,
  });
  expect(attributes).toEqual([
    { ...plain, attribute: 'Wide-Key', value: '300', type: 'octets', vendor: 'Wide', vendorID: 429, format: '2,1' },
    { ...plain, attribute: 'Tunnel-Password', value: '69', type: 'string', hasTag: true, encryptMethod: 2 },
    { ...plain, attribute: 'Service-Type', value: '6', type: 'integer', definedValues: { 1: 'Login-User' } },
  ]);
});

test('members of an attribute have the numbers of both', async () => {
  const attributes = await readFiles({
    dictionary: `ATTRIBUTE Outer 5 tlv
      BEGIN-TLV Outer
      ATTRIBUTE Inner 2 byte
      END-TLV Outer
      ATTRIBUTE Other 5.3 short`,
  });
  expect(attributes.map(({ attribute, value }) => `${attribute} ${value}`)).toEqual([
    'Outer 5',
    'Inner 5.2',
    'Other 5.3',
  ]);
});

test.each([
  ['ATTRIBUTE Name x string', 'dictionary, line 1: x is no number'],
  ['\nATTRIBUTE Name 1', 'dictionary, line 2: an attribute has a name, a number and a type'],
  ['BEGIN-VENDOR Nobody', 'dictionary, line 1: the vendor Nobody is not defined'],
  ['BEGIN-TLV Nobody', 'dictionary, line 1: the attribute Nobody is not defined'],
  ['VENDOR Name', 'dictionary, line 1: a vendor has a name and a number'],
  ['VALUE Name Gold', 'dictionary, line 1: a value has an attribute, a name and a number'],
  ['ELSE', 'dictionary, line 1: ELSE is no keyword'],
  ['$INCLUDE dictionary', 'dictionary, line 0: too many files include each other'],
])('%j is refused', async (text, message) => {
  await expect(readFiles({ dictionary: text })).rejects.toThrow(message);
});
