import type { Fault } from '../trials/put-fault.ts';
import { ofInput } from './of-input.ts';
import { ofRights } from './of-rights.ts';
import { ofState } from './of-state.ts';

/** A fault, what it breaks, and the tests that must fail with it. */
export interface Mutant extends Fault {
  /** A file of tests, and what the names of some of them contain: a few that are quick. */
  test: string;
  only?: string;
  project?: 'fast' | 'real' | 'long' | 'slow';
}

/**
 * Faults that were made once or are plausible: those that a review tried, at least one for each invariant of ARCHITECTURE.md,
 * and one for each class of docs/threats.md.
 */
export const mutants: readonly Mutant[] = [...ofRights, ...ofState, ...ofInput];
