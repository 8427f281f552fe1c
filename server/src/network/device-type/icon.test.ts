import { crc32, deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../kernel/failure.ts';
import { cleanIcon, iconOf } from './icon.ts';

const chunk = (type: string, data: Buffer): Buffer => {
  const typedData = Buffer.concat([Buffer.from(type), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(typedData));
  return Buffer.concat([length, typedData, sum]);
};

const header = (width: number, height: number, form = [8, 0, 0, 0, 0]): Buffer => {
  const data = Buffer.alloc(13);
  data.writeUInt32BE(width, 0);
  data.writeUInt32BE(height, 4);
  data.set(form, 8);
  return chunk('IHDR', data);
};

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const pixels = chunk('IDAT', deflateSync(Buffer.alloc(2)));
const end = chunk('IEND', Buffer.alloc(0));
const png = Buffer.concat([signature, header(1, 1), pixels, end]);
const uri = (bytes: Buffer, type = 'image/png'): string => `data:${type};base64,${bytes.toString('base64')}`;
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h1"/></svg>';

const refusal = (icon: string): string => {
  try {
    cleanIcon('smallIcon', icon);
    return 'taken';
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    expect(error).toMatchObject({ httpCode: 400, faults: [{ pointer: '/smallIcon' }] });
    return error.message;
  }
};

describe('an icon', () => {
  test('that is a PNG or a clean SVG is stored as it was sent', () => {
    for (const icon of [uri(png), uri(Buffer.from(svg), 'image/svg+xml')])
      expect(cleanIcon('smallIcon', icon)).toBe(icon);
    expect(iconOf(uri(png))).toEqual({ type: 'image/png', bytes: png });
  });

  test('may come in other spellings of a data URI, and is stored in one', () => {
    const stored = uri(Buffer.from(svg), 'image/svg+xml');
    for (const icon of [
      `data:image/svg+xml,${encodeURIComponent(svg)}`,
      `data:image/svg+xml;charset=utf-8,${svg}`,
      `data:image/svg+xml;charset=UTF-8;base64,${Buffer.from(svg).toString('base64')}`,
      uri(Buffer.from(`\ufeff<?xml version="1.0"?>\n${svg}`), 'image/svg+xml'),
    ])
      expect(cleanIcon('smallIcon', icon)).toBe(stored);
  });

  test.each([
    ['no data URI', 'https://192.0.2.1/a.png', 'not a data URI'],
    ['another kind of image', 'data:image/gif;base64,R0lGODlhAQABAAAAACw=', 'not a data URI'],
    ['broken base64', 'data:image/png;base64,iVBOR*', 'base64'],
    ['broken percent signs', 'data:image/svg+xml,%3Csvg%', 'percent'],
    ['another character set', `data:image/svg+xml;charset=utf-16,${svg}`, 'UTF-8'],
    ['bytes that are no UTF-8', uri(Buffer.from([0xff, 0xfe]), 'image/svg+xml'), 'UTF-8'],
    ['a GIF that says PNG', uri(Buffer.from('GIF89a')), 'is not a PNG file'],
    ['an SVG that says PNG', uri(Buffer.from(svg)), 'is not a PNG file'],
    ['a PNG that says SVG', uri(png, 'image/svg+xml'), 'UTF-8'],
    ['65,537 bytes', uri(Buffer.concat([png, Buffer.alloc(65_537 - png.length)])), '65537 bytes'],
    [
      'an SVG that grows past the bound',
      uri(Buffer.from(svg.replace('M0', '>'.repeat(65_000))), 'image/svg+xml'),
      'bytes',
    ],
    ['half a PNG', uri(png.subarray(0, -6)), 'is truncated'],
    [
      'a chunk longer than the file',
      uri(Buffer.concat([signature, Buffer.from('7fffffff', 'hex'), png.subarray(12)])),
      'is truncated',
    ],
    ['something behind the end', uri(Buffer.concat([png, Buffer.from('<script>')])), 'data after its end'],
    ['no pixels', uri(Buffer.concat([signature, header(1, 1), end])), 'no image data'],
    ['no header first', uri(Buffer.concat([signature, pixels, header(1, 1), end])), 'IHDR'],
    ['two headers', uri(Buffer.concat([signature, header(1, 1), header(1, 1), pixels, end])), 'IHDR'],
    ['too many columns', uri(Buffer.concat([signature, header(1_025, 1), pixels, end])), '1025 × 1 pixels'],
    ['no rows', uri(Buffer.concat([signature, header(1, 0), pixels, end])), '1 × 0 pixels'],
    [
      'colours that do not exist',
      uri(Buffer.concat([signature, header(1, 1, [8, 5, 0, 0, 0]), pixels, end])),
      'invalid PNG header',
    ],
  ])('that is %s is refused', (_, icon, words) => {
    expect(refusal(icon)).toContain(words);
  });

  test('with one byte changed is refused: every chunk carries its sum', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: png.length - 1 }), fc.integer({ min: 1, max: 255 }), (offset, flip) => {
        const broken = Buffer.from(png);
        broken[offset]! ^= flip;
        expect(refusal(uri(broken))).not.toBe('taken');
      }),
    );
  });
});
