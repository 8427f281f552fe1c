import { describe, expect, test } from 'vitest';
import { faultsOfMessage, storedMessage } from './commit-message.ts';

const code = ['server/src/host/host/host.ts'];
const docs = ['docs/contract.md', 'server/src/host/host/host.test.ts', 'server/test/world/world.ts'];
const withBody = (subject: string) => `${subject}\n\nThe reason.`;

describe('faultsOfMessage', () => {
  test.each([
    'radius: refuse an empty secret',
    'kernel/filter: accept 500 values in a list',
    'device, host: move the connection states to the host',
    'console: address the keyboard focus after a dialog',
    'tools: bring the trial list up to date',
  ])('accepts "%s" with a body', (subject) => {
    expect(faultsOfMessage(withBody(subject), code)).toEqual([]);
  });

  test.each(['Merge branch "work"', 'Revert "radius: refuse an empty secret; and more"', 'fixup! radius: told you'])(
    'accepts "%s", which git writes',
    (subject) => {
      expect(faultsOfMessage(subject, code)).toEqual([]);
    },
  );

  test.each([
    ['refuse an empty secret', 'area: imperative'],
    ['Radius: refuse an empty secret', 'area: imperative'],
    ['radius: the secret is refused', '"the" is not an imperative'],
    ['radius: refused an empty secret', '"refused" is not an imperative'],
    ['radius: refusing an empty secret', '"refusing" is not an imperative'],
    ['radius: refuses an empty secret', '"refuses" is not an imperative'],
    ['testbed: free ports are none that the system gives', undefined],
    ['radius: refuse an empty secret; log the source', 'semicolon'],
    ['radius: refuse an empty secret.', 'full stop'],
    [`radius: refuse ${'x'.repeat(60)}`, 'at most 72'],
    ['radius: return what the engine says', '"says" is not plain'],
    ['radius: give the port to nobody', '"nobody" is not plain'],
  ])('checks "%s"', (subject, fault) => {
    const faults = faultsOfMessage(withBody(subject), code);
    // A noun without an article looks like a verb: review finds it.
    if (fault === undefined) expect(faults).toEqual([]);
    else expect(faults).toEqual([expect.stringContaining(fault)]);
  });

  test('accepts a subject of 72 characters and refuses one of 73', () => {
    const subject = 'radius: refuse '.padEnd(72, 'x');
    expect(faultsOfMessage(withBody(subject), code)).toEqual([]);
    expect(faultsOfMessage(withBody(`${subject}x`), code)).toHaveLength(1);
  });

  test('requires a body for a change of code, and none for documents and tests', () => {
    expect(faultsOfMessage('host: refuse an empty name', code)).toEqual([
      expect.stringContaining(`because ${code[0]}`),
    ]);
    expect(faultsOfMessage('host: refuse an empty name\n\n', code)).toHaveLength(1);
    expect(faultsOfMessage('docs: name the limit of hosts', docs)).toEqual([]);
    expect(faultsOfMessage('docs: name the limit of hosts', [])).toEqual([]);
  });

  test('requires an empty line between subject and body', () => {
    expect(faultsOfMessage('host: refuse an empty name\nThe reason.', code)).toEqual([
      expect.stringContaining('second line'),
    ]);
  });
});

test('storedMessage removes comments and the diff of a verbose commit', () => {
  const text = [
    'host: refuse an empty name',
    '',
    'The reason.',
    '# Changes to be committed:',
    '# ------------------------ >8 ------------------------',
    'diff --git a/x b/x',
  ].join('\n');
  expect(storedMessage(text)).toBe('host: refuse an empty name\n\nThe reason.');
});
