import { hasCompiler } from '@portreeve/testbed/false-clock.ts';

/** Ends the process with exit code 2 if a simulated clock cannot be built. */
export async function needCompiler(): Promise<void> {
  if (await hasCompiler()) return;
  console.error('A false clock needs a C compiler: install cc (Debian: gcc and libc6-dev).');
  process.exit(2);
}
