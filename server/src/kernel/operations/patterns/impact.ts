import type { Operation, QueryParameter } from '../../declare/operation.ts';
import type { ObjectShape } from '../../declare/shape.ts';

const countMax = 1_000;

/** Rows of a dry run that are answered when nobody says how many. */
export const impactCount = 100;

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
      doc: `With \`dryRun\`: maximum number of connections to return. Default: ${impactCount}.`,
    },
  },
};

/** What a write takes and answers that changes who gets which access; nothing for any other. */
export const impactOf = (shape: ObjectShape | undefined): Pick<Operation, 'query' | 'impact'> | undefined =>
  shape && { query: parameters, impact: shape };
