import type { ObjectShape } from '../kernel/shape.ts';

/** One step of a test of an outside system. */
export interface TestStep {
  name: string;
  passed: boolean;
  detail: string;
}

/** What a test of an outside system found; its refusal is a result, not an error. */
export interface TestResult {
  passed: boolean;
  durationMs: number;
  steps: TestStep[];
}

export const testResult: ObjectShape = {
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
};
