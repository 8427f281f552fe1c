import type { Arguments, Options } from './args.ts';
import type { Screen } from './output.ts';

/** A command that is no operation of the API: mostly what is done on the machine of a node. */
export interface Command {
  /** One or two words. */
  name: string;
  positionals: readonly string[];
  doc: string;
  /** More lines about it, for its own help. */
  about?: readonly string[];
  options: Options;
  run(args: Arguments, screen: Screen): Promise<void>;
}
