import type { Options, ValuesOf } from './command.ts';

/** A run against real nodes or many rows that takes minutes; `npm test` has a small form of most trials. */
interface Trial<Given extends Options> {
  /** What happens, and what is checked. */
  doc: string;
  options: Given;
  /** Prints the result and sets the exit code. */
  run(values: ValuesOf<Given>): Promise<void>;
}

/** A trial whose options are known by name only. */
export type AnyTrial = Trial<Options>;

/** Defines a trial: `tools/trials/<name>.ts` exports one as `trial`; there is no list of them. */
export const defineTrial = <const Given extends Options>(trial: Trial<Given>): Trial<Given> => trial;
