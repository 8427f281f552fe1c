import { describe, expect, test } from 'vitest';
import { Client, operations } from './index.ts';
import { LinkFault, nextPosition } from './next-link.ts';

describe('the link of the next page', () => {
  test.each([
    ['</api/v2/host?after=abc>; rel="next"', 'abc'],
    ['</api/v2/host?after=abc>; rel=next', 'abc'],
    ['<https://x/y?a=1>; rel="prev", </host?count=2&after=a%2Cb>; title="a, b"; rel="last next"', 'a,b'],
    ['</host?after=abc>;REL="NEXT"', 'abc'],
    ['</host?after=abc>; rel="prev"', undefined],
  ])('%s', (header, position) => {
    expect(nextPosition(header)).toBe(position);
  });

  test('is absent on the last page', () => {
    expect(nextPosition(undefined)).toBeUndefined();
  });

  test('throws during a walk if it is malformed', async () => {
    for (const link of ['<http://[>; rel="next"', '</host>; rel="next"']) {
      const body = JSON.stringify({ status: 'success', results: [{ id: 1 }], filtered: 2, total: 2 });
      const answer = async () => new Response(body, { headers: { link } });
      const client = new Client({ url: 'http://nac.test', token: 'x', fetch: answer, retriesMax: 0 });
      await expect(Array.fromAsync(client.walk(operations['container.list']))).rejects.toThrow(
        'the response is not from Portreeve',
      );
    }
  });

  test.each([
    '<http://[>; rel="next"',
    '</host>; rel="next"',
    '/host?after=abc; rel="next"',
    '</host?after=a>; rel="next',
    '<',
  ])('throws if it is malformed: %s', (header) => {
    expect(() => nextPosition(header)).toThrow(LinkFault);
  });
});
