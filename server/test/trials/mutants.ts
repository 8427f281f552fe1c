import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { postgresFolder } from '@portreeve/testbed/postgres.ts';
import type { Mutant } from '../mutants/mutants.ts';
import { putFault } from './put-fault.ts';

const checkout = fileURLToPath(new URL('../../..', import.meta.url));
/** Folders that tests read. */
const copied = ['server', 'sdk', 'cli', 'testbed', 'tools', 'docs', 'console', 'api', 'changes', 'event-types'];
const copiedFiles = ['package.json', 'vitest.config.ts', 'tsconfig.json', 'catalogue.json', 'openapi.json'];
const leftOut = new Set(['node_modules', '.git']);
/** A mutant that makes a test hang counts as caught. */
const hangsMs = 240_000;

/** The result for one mutant: the tests that failed, or why it could not be tried. */
export interface Tried {
  mutant: Mutant;
  verdict: 'caught' | 'NOT CAUGHT' | 'NOT APPLICABLE';
  detail: string;
  seconds: number;
}

/** Selects a twentieth of the mutants by the hash of a commit: the same commit selects the same ones. */
export function drawn(mutants: readonly Mutant[], commit: string): Mutant[] {
  const count = Math.ceil(mutants.length / 20);
  const first = Number.parseInt(commit.slice(0, 8), 16) % mutants.length;
  // A stride without a common divisor selects each once.
  const stride = [7, 11, 13, 17].find((candidate) => mutants.length % candidate !== 0)!;
  return Array.from({ length: count }, (_, n) => mutants[(first + n * stride) % mutants.length]!);
}

/** A copy of the tree that shares its packages and the private PostgreSQL. */
class Copy {
  readonly folder: string;
  private constructor(folder: string) {
    this.folder = folder;
  }

  static async make(): Promise<Copy> {
    const folder = await mkdtemp(join(tmpdir(), 'portreeve-mutants-'));
    const filter = (path: string) => !leftOut.has(basename(path));
    for (const name of [...copied, ...copiedFiles])
      await cp(join(checkout, name), join(folder, name), { recursive: true, filter });
    await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'));
    await symlink(postgresFolder(checkout), postgresFolder(folder));
    return new Copy(folder);
  }

  async remove(): Promise<void> {
    await rm(postgresFolder(this.folder));
    await rm(this.folder, { recursive: true });
  }

  async try(mutant: Mutant): Promise<Tried> {
    const began = performance.now();
    const tried = (verdict: Tried['verdict'], detail: string): Tried => ({
      mutant,
      verdict,
      detail,
      seconds: (performance.now() - began) / 1_000,
    });
    let takeOut: () => Promise<void>;
    try {
      takeOut = await putFault(this.folder, mutant);
    } catch (error) {
      return tried('NOT APPLICABLE', (error as Error).message);
    }
    try {
      const failed = await this.failing(mutant);
      return failed.length > 0
        ? tried('caught', failed[0]!)
        : tried('NOT CAUGHT', `${mutant.test} ${mutant.only ?? ''}`);
    } catch (error) {
      return tried('NOT APPLICABLE', (error as Error).message);
    } finally {
      await takeOut();
    }
  }

  /** Returns the names of the tests that fail. */
  async failing({ test, only, project = 'fast' }: Pick<Mutant, 'test' | 'only' | 'project'>): Promise<string[]> {
    const report = join(this.folder, 'report.json');
    await rm(report, { force: true });
    const args = ['run', '--project', project, test, ...(only ? ['-t', only] : [])];
    const code = await this.#vitest([...args, '--reporter=json', `--outputFile=${report}`, '--bail=1']);
    if (code === undefined) return ['it hangs'];
    const { testResults } = JSON.parse(await readFile(report, 'utf8')) as {
      testResults: { status: string; message: string; assertionResults: { status: string; title: string }[] }[];
    };
    const titled = (titlesWith: string) =>
      testResults.flatMap(({ assertionResults }) =>
        assertionResults.filter(({ status }) => status === titlesWith).map(({ title }) => title),
      );
    if (code === 0 && titled('passed').length === 0) throw new Error(`${test} has no test for ${only ?? project}`);
    if (code === 0) return [];
    const failed = titled('failed');
    const files = testResults.filter(({ status }) => status === 'failed').map(({ message }) => message);
    if (files.length === 0) throw new Error(`no test of ${test} was started`);
    return failed.length > 0 ? failed : files;
  }

  #vitest(args: readonly string[]): Promise<number | undefined> {
    const program = join(checkout, 'node_modules', 'vitest', 'vitest.mjs');
    return new Promise((done, fail) => {
      // Does not join the test run that this may itself be part of.
      const { VITEST: _, VITEST_POOL_ID: __, VITEST_WORKER_ID: ___, ...env } = process.env;
      const child = spawn(process.execPath, [program, ...args], {
        cwd: this.folder,
        // The OpenAPI document and the client stay those of the code without the fault.
        env: { ...env, PORTREEVE_PRODUCTS: 'leave' },
        stdio: 'ignore',
        // A process group of its own: a worker in an endless loop does not notice that its parent ended.
        detached: true,
      });
      const end = () => process.kill(-child.pid!, 'SIGKILL');
      const timer = setTimeout(end, hangsMs);
      process.once('exit', end);
      child.on('error', fail);
      child.on('exit', (code) => {
        clearTimeout(timer);
        process.off('exit', end);
        done(code ?? undefined);
      });
    });
  }
}

/** Puts one fault at a time into copies of the code, and runs the tests that must fail. */
export async function* tryMutants(chosen: readonly Mutant[], parallel = 2): AsyncGenerator<Tried> {
  const copies = await Promise.all(Array.from({ length: Math.min(parallel, chosen.length) }, () => Copy.make()));
  try {
    const waiting = [...chosen];
    const running = new Map<Copy, Promise<{ copy: Copy; tried: Tried }>>();
    const begin = (copy: Copy) => {
      const mutant = waiting.shift();
      if (mutant)
        running.set(
          copy,
          copy.try(mutant).then((tried) => ({ copy, tried })),
        );
      else running.delete(copy);
    };
    for (const copy of copies) begin(copy);
    while (running.size > 0) {
      const { copy, tried } = await Promise.race(running.values());
      begin(copy);
      yield tried;
    }
  } finally {
    for (const copy of copies) await copy.remove();
  }
}

/** Returns tests that fail without any fault: for them a failure would prove nothing. */
export async function failingAnyway(chosen: readonly Mutant[]): Promise<string[]> {
  const copy = await Copy.make();
  try {
    const mutantByTest = new Map(chosen.map((mutant) => [`${mutant.test} ${mutant.only ?? ''}`, mutant]));
    const failing: string[] = [];
    for (const [what, mutant] of mutantByTest)
      for (const name of await copy.failing(mutant)) failing.push(`${what} fails without a fault: ${name}`);
    return failing;
  } finally {
    await copy.remove();
  }
}
