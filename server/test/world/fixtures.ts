import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import type { Limiter } from './restricted-admins.ts';

/** The id of a staged record of a group. */
type Staged = (noun: string) => number;

/** What tests over all operations need to know of one group. */
export interface Fixture {
  /** Makes the record of examples where no client creates one, because the service sees it in the network; returns its id. */
  stage?(tx: WriteTx, staged: (noun: string) => Promise<number>): Promise<number>;
  /** Query parameters that an example cannot do without, by verb. */
  parameters?: Readonly<Record<string, (staged: Staged) => string>>;
  /** References of the example whose records are made for it: no built-in record has these ids. */
  made?: readonly string[];
  /** What of an example differs from one record to the next, beyond its unique fields. */
  fresh?(number: number): Readonly<Record<string, unknown>>;
  /** Values that fields take, where those that follow from their shapes are refused: tried first when every field is sent. */
  values?: Readonly<Record<string, readonly unknown[]>>;
  /** What a field needs beside it. */
  needs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Makes a record in a place, for a test of restricted administrators; one with an example needs none. */
  restricted?(limiter: Limiter, place: string): Promise<number>;
  /** Status codes other than success that verbs return for the record of `restricted`. */
  refused?: Readonly<Record<string, number>>;
}

export type Fixtures = Readonly<Record<string, Fixture>>;

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** The fixtures of all groups, from `<name>.fixture.ts` in their folders. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  (
    await Promise.all(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.fixture.ts'))
        .sort()
        .map(async (path) => (await import(pathToFileURL(`${root}/${path}`).href)).fixtures as Fixtures),
    )
  ).flatMap((of) => Object.entries(of)),
);
