import type { Call, Operation, QueryParameter } from '../../declare/operation.ts';
import type { ObjectShape } from '../../declare/shape.ts';
import type { StatusWord } from '../../failure.ts';

const countMax = 1_000;

/** Rows of a dry run that are answered when nobody says how many. */
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

/** What a write takes and answers that changes who gets which access; nothing for any other. */
export const impactOf = (shape: ObjectShape | undefined): Pick<Operation, 'query' | 'impact'> | undefined =>
  shape && { query: parameters, impact: shape };

/** The errors of such a write: one that would change too much is refused. */
export const withImpactErrors = (errors: readonly StatusWord[], impact: unknown): readonly StatusWord[] =>
  impact ? [...new Set<StatusWord>([...errors, 'protected'])] : errors;

/** Which rows of a dry run a call asks for, and how many there may be at most. */
export function impactPage({ query }: Call): { start: number; count: number; max: number | undefined } {
  const {
    start = 0,
    count = countDefault,
    maxImpact,
  } = query as { start?: number; count?: number; maxImpact?: number };
  return { start, count, max: maxImpact };
}
