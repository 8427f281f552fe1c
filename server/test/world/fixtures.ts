import { readdirSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { WriteTx } from '../../src/kernel/write/runtime.ts';
import type { Limiter } from './restricted-admins.ts';

/** Returns the id of a staged record of a resource. */
type Staged = (noun: string) => number;

/** What tests over all operations need to know about one resource. */
export interface Fixture {
  /**
   * Creates the record of examples that no client can create, because the service observes it on the network; returns
   * its id.
   */
  stage?(tx: WriteTx, staged: (noun: string) => Promise<number>): Promise<number>;
  /** Query parameters that an example requires, by verb. */
  parameters?: Readonly<Record<string, (staged: Staged) => string>>;
  /** References of the example whose records are created for it, because no built-in record has these ids. */
  made?: readonly string[];
  /** Returns the values of an example that must differ between records, in addition to its unique fields. */
  fresh?(number: number): Readonly<Record<string, unknown>>;
  /**
   * Valid values of fields for which values derived from their shapes are refused; they are tried first when every
   * field is sent.
   */
  values?: Readonly<Record<string, readonly unknown[]>>;
  /** Other fields that a field requires. */
  needs?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Creates a record in a container, for tests of restricted administrators; a resource with an example needs none. */
  restricted?(limiter: Limiter, place: string): Promise<number>;
  /** Status codes other than success that verbs return for the record of `restricted`. */
  refused?: Readonly<Record<string, number>>;
}

export type Fixtures = Readonly<Record<string, Fixture>>;

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** The fixtures of all resources, from `<name>.fixture.ts` in their folders. */
export const fixtures: ReadonlyMap<string, Fixture> = new Map(
  (
    await Promise.all(
      readdirSync(root, { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.fixture.ts'))
        .sort()
        .map(async (path) => (await import(pathToFileURL(`${root}/${path}`).href)).fixtures as Fixtures),
    )
  ).flatMap((exported) => Object.entries(exported)),
);
