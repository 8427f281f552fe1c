import type { Call, Operation, QueryParameter } from '../../declare/operation.ts';
import type { ObjectShape } from '../../declare/shape.ts';
import type { StatusWord } from '../../failure.ts';

const countMax = 1_000;

/** Default number of rows that a dry run returns. */
const countDefault = 100;

const parameters: Readonly<Record<string, QueryParameter>> = {
  maxImpact: {
    shape: {
      kind: 'integer',
      min: 0,
      max: 100_000_000,
      doc: 'Refuse the write with 409 if more live connections than this would change.',
    },
  },
  start: {
    shape: { kind: 'integer', min: 0, max: 100_000_000, doc: 'With `dryRun`: number of connections to skip.' },
  },
  count: {
    shape: {
      kind: 'integer',
      min: 0,
      max: countMax,
      doc: `With \`dryRun\`: maximum number of connections to return. Default: ${countDefault}.`,
    },
  },
};

/** Returns the parameters and the dry-run result of a write that can change access; undefined for any other write. */
export const impactOf = (shape: ObjectShape | undefined): Pick<Operation, 'query' | 'impact'> | undefined =>
  shape && { query: parameters, impact: shape };

/** Returns the errors of a write, which is refused if it would change too many connections. */
export const withImpactErrors = (errors: readonly StatusWord[], impact: unknown): readonly StatusWord[] =>
  impact ? [...new Set<StatusWord>([...errors, 'protected'])] : errors;

/** Returns which rows of a dry run a call requests, and the impact that it allows at most. */
export function impactPage({ query }: Call): { start: number; count: number; max: number | undefined } {
  const {
    start = 0,
    count = countDefault,
    maxImpact,
  } = query as { start?: number; count?: number; maxImpact?: number };
  return { start, count, max: maxImpact };
}
