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
 * A time of day of their own for the processes that are started with its environment, and for their children. Timers, monotonic time
 * and the times of files stay true. libfaketime is not used: under it PostgreSQL does not end statements at their time limit.
 */
export interface FalseClock {
  environment: Readonly<Record<string, string>>;
  /** Sets it to a moment; from there it goes at the usual speed. */
  set(moment: Date): Promise<void>;
  /** What it shows; who is under it may have moved it. */
  now(): Promise<Date>;
  /** Sets how far it is from the true time. */
  setOffset(seconds: number): Promise<void>;
  /** Ends every process that has this clock, and waits for it. Synchronous, so that it can be called when the process exits. */
  endProcesses(): void;
}

/** Whether a false clock can be made here. */
export const hasCompiler = (): Promise<boolean> =>
  run(compiler, ['--version']).then(
    () => true,
    () => false,
  );

/** Makes a clock that shows the true time. Its files lie in the folder, which every user of it has to be able to read. */
export async function makeFalseClock(folder: string): Promise<FalseClock> {
  const library = join(folder, 'false-clock.so');
  await run(compiler, ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  const file = join(folder, 'false-clock');
  await writeFile(file, Buffer.alloc(8), { mode: 0o644 });
  const setOffset = async (seconds: number) => {
    const offset = Buffer.alloc(8);
    offset.writeBigInt64LE(BigInt(Math.round(seconds)));
    // In place: a process that reads the map of a shorter file ends with SIGBUS.
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
      // For PostgreSQL SIGINT is the fast shutdown. Whoever starts others meanwhile is found by the next look.
      const signalled = new Set<number>();
      for (let left = processesWith(library); left.length > 0; left = processesWith(library)) {
        const isLate = performance.now() > until;
        for (const pid of left) {
          if (signalled.has(pid) && !isLate) continue;
          signalled.add(pid);
          signal(pid, isLate ? 'SIGKILL' : 'SIGINT');
        }
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
      }
    },
  };
}

/** The processes that have loaded a library: unlike an environment, which PostgreSQL overwrites, what is mapped stays visible. */
function processesWith(library: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/maps`, 'latin1').includes(library);
      } catch {
        // It has ended, or is somebody else's.
        return false;
      }
    })
    .map(Number);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    // It has ended: that is what was wanted.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
}
