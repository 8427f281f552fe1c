import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { describe, expect, test } from 'vitest';
import { printError } from './errors.ts';
import { fakePen } from './testing/fake-screen.ts';
import { UsageError } from './usage-error.ts';

const reported = async (error: unknown, argv: string[] = []) => {
  const pen = fakePen(100);
  await printError(pen, error, argv);
  return pen.written;
};
const invalid = (faults: PortreeveError['faults']) =>
  new PortreeveError(faults.map(({ detail }) => detail).join(' '), { word: 'invalid', httpCode: 400, faults });

describe('an error', () => {
  test('marks the faulty part of the command line', async () => {
    const error = invalid([{ pointer: '#/authPort', detail: 'authPort: 99999 is out of range.' }]);
    expect(await reported(error, ['aaa-server', 'create', '--set', 'name=x', '--set', 'authPort=99999'])).toBe(
      ['  --set authPort=99999', '        ^^^^^^^^^^^^^^', 'portreeve: authPort: 99999 is out of range.', ''].join(
        '\n',
      ),
    );
  });

  test('does not show a secret that was typed', async () => {
    const error = invalid([{ pointer: '#/secret', detail: 'secret: is too short.' }]);
    expect(await reported(error, ['--set', 'secret=hunter2'])).not.toContain('hunter2');
  });

  test('marks the option whose name differs from that of its parameter', async () => {
    const detail = 'sortKey: cannot sort by lastpoll; did you mean lastL2Poll?';
    expect(await reported(invalid([{ parameter: 'sortKey', detail }]), ['--sort', 'lastpoll'])).toBe(
      ['  --sort lastpoll', '         ^^^^^^^^', `portreeve: ${detail}`, ''].join('\n'),
    );
  });

  test('prints each fault, and advice if there is any', async () => {
    expect(await reported(invalid([{ detail: 'One.' }, { detail: 'Two.' }]))).toBe(
      'portreeve: One.\nportreeve: Two.\n',
    );
    expect(await reported(new PortreeveError('No.', { word: 'unreachable', httpCode: 0 }))).toContain(
      'portreeve doctor',
    );
  });

  test('cannot inject terminal sequences', async () => {
    expect(await reported(new PortreeveError('\u001b[2J', { word: 'rejected', httpCode: 422 }))).toContain('\\x1b[2J');
    expect(await reported(new UsageError('\u009b'))).toContain('\\x9b');
  });

  test('keeps the stack trace of a bug', async () => {
    expect(await reported(new TypeError('x is not a function'))).toContain('errors.test.ts');
  });
});
