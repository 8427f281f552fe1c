import { expect, test } from 'vitest';
import type { Document } from './document.ts';
import { printRecord } from './record-view.ts';

test('printRecord prints multi-line text below its name, with no line that looks like a field', async () => {
  const output: string[] = [];
  const pen = {
    write: async (text: string) => void output.push(text),
    isTerminal: false,
    width: undefined,
    style: (_: unknown, text: string) => text,
  };
  const log = 'Ready.\nstatus: success\u001b[2J\n';
  await printRecord(pen, { node: 'node-1', log, note: null }, undefined, {} as Document);
  expect(output.join('')).toBe('node: node-1\nlog:\n  | Ready.\n  | status: success\\x1b[2J\nnote: null\n');
});
