import { printError } from './errors.ts';
import { exitCodeOf } from './exit-codes.ts';
import { screenOf } from './output.ts';
import { run } from './run.ts';

/** The command line: API operations by name, and commands for the node it runs on. */

// A closed pipe, as after `| head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

const screen = screenOf(process);
const argv = process.argv.slice(2);
try {
  await run(argv, screen);
} catch (error) {
  await printError(screen.err, error, argv);
  process.exitCode = exitCodeOf(error);
}
