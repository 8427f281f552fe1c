import { inputShape, singleId } from '../../declare/declaration.ts';
import type { RecordValue } from '../../read/select.ts';
import { type Draft, expected, type PatternOf } from './pattern.ts';
import { save } from './save.ts';

export const settingsRead = (of: PatternOf): Draft[] => [
  {
    method: 'GET',
    at: '',
    verb: 'view',
    operationId: 'read',
    summary: `Read the ${of.noun}`,
    result: of.record,
    run: async (call) => (await of.reader(call).fetchRow((work) => of.runtime.read(work), singleId))!,
  },
];

export const settingsWrite = (of: PatternOf): Draft[] => [
  {
    method: 'POST',
    at: '',
    verb: 'modify',
    operationId: 'write',
    summary: `Change the ${of.noun}; absent fields keep their value`,
    body: inputShape(of.declaration),
    dryRunResult: of.record,
    more: ['stale', 'rejected'],
    example: of.declaration.example,
    run: (call) =>
      save(of, call, (tx) => tx.records.update(of.declaration, singleId, call.body as RecordValue, expected(call))),
  },
];
