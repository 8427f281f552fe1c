import { readdir, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { corpusBytesMax, readCorpus } from './corpus.ts';
import { tryInput } from './fuzz.ts';
import { drawer, mutated } from './mutate.ts';
import { targets } from './targets.ts';

describe('the corpus of earlier fuzzing', () => {
  test.each(targets)('$name: is read or refused with its own error', async (target) => {
    const findings = [];
    for (const input of await readCorpus(target)) findings.push(await tryInput(target, input));
    expect(findings.filter(Boolean)).toEqual([]);
  });

  test.each(targets)('$name: is read or refused with its own error after mutation', async (target) => {
    const corpus = await readCorpus(target);
    const words = target.words.map((word) => Buffer.from(word, 'latin1'));
    const draw = drawer(1);
    const findings = [];
    for (let n = 0; n < 300; n++) findings.push(await tryInput(target, mutated(corpus, words, draw)));
    expect(findings.filter(Boolean)).toEqual([]);
  });

  test('has at most 2 MB', async () => {
    const folder = fileURLToPath(new URL('corpus/', import.meta.url));
    let bytes = 0;
    for (const file of await readdir(folder)) bytes += (await stat(`${folder}${file}`)).size;
    expect(bytes).toBeLessThan(corpusBytesMax);
  });
});

test('a number that is too large for an object identifier is refused', async () => {
  const ber = targets.find(({ name }) => name === 'ber')!;
  const trap = '302902010104067075626c6963a71c020101020100020100301130 0f06082bffffffff7f01004003010203'.replaceAll(
    ' ',
    '',
  );
  expect(() => ber.read(Buffer.from(trap, 'hex'))).toThrow('more than 32 bits');
});

test('a length beyond the end of a message is refused as such', async () => {
  const ber = targets.find(({ name }) => name === 'ber')!;
  expect(() => ber.read(Buffer.from('302002010104067075626c6963', 'hex'))).toThrow('longer than the message');
});
