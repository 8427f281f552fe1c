import { run } from './run.ts';

/** Every test, with the real parts. */
process.exit(await run('vitest', ['run', ...process.argv.slice(2)]));
