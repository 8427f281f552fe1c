import type { Arguments, Options } from './args.ts';
import type { Screen } from './output.ts';

/** A command that is not an API operation; most of them act on the node they run on. */
export interface Command {
  /** One or two words. */
  name: string;
  positionals: readonly string[];
  doc: string;
  /** Further lines for its own help page. */
  about?: readonly string[];
  options: Options;
  /** Replaces the verb of the same name: always, or only if an argument follows. */
  replacesVerb?: 'always' | 'with-argument';
  run(args: Arguments, screen: Screen): Promise<void>;
}
