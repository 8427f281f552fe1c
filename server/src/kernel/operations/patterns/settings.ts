import { inputShape, singleId } from '../../declare/declaration.ts';
import type { RecordValue } from '../../read/select.ts';
import { type Draft, expected, type PatternContext } from './pattern.ts';
import { save } from './save.ts';

export const settingsRead = (context: PatternContext): Draft[] => [
  {
    method: 'GET',
    at: '',
    verb: 'view',
    operationId: 'read',
    summary: `Read the ${context.noun}`,
    result: context.record,
    run: async (call) => (await context.reader(call).fetchRow((work) => context.runtime.read(work), singleId))!,
  },
];

export const settingsWrite = (context: PatternContext): Draft[] => [
  {
    method: 'POST',
    at: '',
    verb: 'modify',
    operationId: 'write',
    summary: `Change the ${context.noun}; absent fields keep their value`,
    body: inputShape(context.declaration),
    dryRunResult: context.record,
    more: ['stale', 'rejected'],
    example: context.declaration.example,
    run: (call) =>
      save(context, call, (tx) =>
        tx.records.update(context.declaration, singleId, call.body as RecordValue, expected(call)),
      ),
  },
];
