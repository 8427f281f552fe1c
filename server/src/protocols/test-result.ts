import type { ObjectShape } from '../kernel/declare/shape.ts';
import type { AnswerOf } from '../kernel/declare/value-of.ts';

/** Result of a test of another system; a refusal is a result, not an error. */
export const testResult = {
  kind: 'object',
  name: 'TestResult',
  properties: {
    passed: { kind: 'flag' },
    durationMs: { kind: 'integer', min: 0, max: 3_600_000 },
    steps: {
      kind: 'list',
      max: 50,
      item: {
        kind: 'object',
        name: 'TestStep',
        properties: { name: { kind: 'text', max: 80 }, passed: { kind: 'flag' }, detail: { kind: 'text', max: 1_000 } },
      },
    },
  },
} as const satisfies ObjectShape;

export type TestResult = AnswerOf<typeof testResult>;

/** One step of a test of another system. */
export type TestStep = TestResult['steps'][number];
