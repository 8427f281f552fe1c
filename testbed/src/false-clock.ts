import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const compiler = 'cc';
const source = fileURLToPath(new URL('./false-clock.c', import.meta.url));
const children = new URL('./false-clock-children.ts', import.meta.url);
const endMsMax = 10_000;

/**
 * A simulated time of day for the processes that are started with its environment, and for their children. Timers,
 * monotonic time and the times of files stay real. libfaketime is not used: with it PostgreSQL does not end statements
 * at their time limit.
 */
export interface FalseClock {
  environment: Readonly<Record<string, string>>;
  /** Sets it to a moment; it continues from there at the usual speed. */
  set(moment: Date): Promise<void>;
  /** Returns its time; processes with this clock may have moved it. */
  now(): Promise<Date>;
  /** Sets its difference from the real time. */
  setOffset(seconds: number): Promise<void>;
  /**
   * Ends every process that has this clock, and waits for it. Synchronous, so that it can be called when the process
   * exits.
   */
  endProcesses(): void;
}

/** True if a simulated clock can be built here. */
export const hasCompiler = (): Promise<boolean> =>
  run(compiler, ['--version']).then(
    () => true,
    () => false,
  );

/** Creates a clock that shows the real time. Its files are in the folder, which all its users must be able to read. */
export async function makeFalseClock(folder: string): Promise<FalseClock> {
  const library = join(folder, 'false-clock.so');
  await run(compiler, ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  const file = join(folder, 'false-clock');
  await writeFile(file, Buffer.alloc(8), { mode: 0o644 });
  const setOffset = async (seconds: number) => {
    const offset = Buffer.alloc(8);
    offset.writeBigInt64LE(BigInt(Math.round(seconds)));
    // In place: a process that maps a truncated file ends with SIGBUS.
    const handle = await open(file, 'r+');
    await handle.write(offset, 0, 8, 0);
    await handle.close();
  };
  return {
    environment: { LD_PRELOAD: library, FALSE_CLOCK: file, NODE_OPTIONS: `--import=${children}` },
    set: (moment) => setOffset((moment.getTime() - Date.now()) / 1_000),
    now: async () => new Date(Date.now() + Number((await readFile(file)).readBigInt64LE()) * 1_000),
    setOffset,
    endProcesses() {
      const until = performance.now() + endMsMax;
      // For PostgreSQL SIGINT is the fast shutdown. The loop also finds processes that are started meanwhile.
      const signalled = new Set<number>();
      for (
        let remainingPids = processesWith(library);
        remainingPids.length > 0;
        remainingPids = processesWith(library)
      ) {
        const isLate = performance.now() > until;
        for (const pid of remainingPids) {
          if (signalled.has(pid) && !isLate) continue;
          signalled.add(pid);
          signal(pid, isLate ? 'SIGKILL' : 'SIGINT');
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      }
    },
  };
}

/** Returns the processes that have loaded a library. Mappings stay visible; PostgreSQL overwrites its environment. */
function processesWith(library: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/maps`, 'latin1').includes(library);
      } catch {
        // The process has ended, or belongs to another user.
        return false;
      }
    })
    .map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // The process has ended already.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
