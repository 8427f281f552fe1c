import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matches, shown } from './masks.ts';
import { type Block, blocksOf, type Step } from './page.ts';

/** A command whose output differs from its page, or that failed in a block without outputs. */
interface Difference {
  place: string;
  command: string;
  expected: readonly string[];
  printed: readonly string[];
}

interface PageResult {
  run: number;
  skipped: number;
  differences: Difference[];
  /** Blocks with at least one difference. */
  differing: number;
  /** The commands of each section, and their duration. */
  sections: ReadonlyMap<string, { commands: number; seconds: number }>;
}

const pageMsMax = 600_000;
const columns = 100;
/** Follows each command, with its exit code. */
const mark = '-- end of step, code';

/**
 * Types the blocks of a page into one shell on a terminal, and compares the output. Each command is followed by a line
 * with its exit code.
 */
export async function runPage(file: string, environment: NodeJS.ProcessEnv): Promise<PageResult> {
  const blocks = blocksOf(await readFile(file, 'utf8'));
  const runs = blocks.filter(({ skipped }) => skipped === null);
  const steps = runs.flatMap((block) => block.steps.map((step) => ({ block, step })));
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-docs-'));
  try {
    const outputs = await typed(
      steps.map(({ step }) => step),
      folder,
      { ...environment, NO_COLOR: '1', TERM: 'dumb' },
    );
    const differing = new Set<Block>();
    const differences = steps.flatMap(({ block, step }, index): Difference[] => {
      const { printed, code } = outputs[index] ?? { printed: ['the shell ended before this command'], code: -1 };
      if (code !== -1 && (block.isCompared ? matches(step.expected, printed) : code === 0)) return [];
      differing.add(block);
      return [{ place: `${file}:${step.line}`, command: step.command, expected: step.expected, printed }];
    });
    const sections = new Map<string, { commands: number; seconds: number }>();
    for (const [index, { block }] of steps.entries()) {
      const { commands, seconds } = sections.get(block.section) ?? { commands: 0, seconds: 0 };
      sections.set(block.section, { commands: commands + 1, seconds: seconds + (outputs[index]?.seconds ?? 0) });
    }
    const skipped = blocks.length - runs.length;
    return { run: runs.length, skipped, differences, differing: differing.size, sections };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Typed {
  printed: string[];
  code: number;
  seconds: number;
}

async function typed(steps: readonly Step[], folder: string, env: NodeJS.ProcessEnv): Promise<Typed[]> {
  const program = join(folder, 'page.sh');
  const ends = steps.map(({ command }) => `${command}\nprintf '\\n${mark} %d %s\\n' "$?" "$EPOCHREALTIME"\n`);
  const firstMark = `printf '\\n${mark} 0 %s\\n' "$EPOCHREALTIME"\n`;
  await writeFile(program, `stty cols ${columns} -echo\ncd ${folder}\n${firstMark}${ends.join('')}`);
  // Tables, progress bars and colours are only for terminals: `script` is one.
  const shell = spawn('script', ['--quiet', '--return', '--command', `bash --norc ${program}`, '/dev/null'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.timeout(pageMsMax),
  });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  await once(shell, 'close');
  // Each part begins with exit code and time of the previous step, or of the start.
  const parts = output.split(`\n${mark} `).slice(1);
  const secondsOf = (part: string) => Number(part.split(/\s/, 2)[1]);
  return parts.slice(1).map((nextPart, index) => ({
    printed: shown(parts[index]!.slice(parts[index]!.indexOf('\n') + 1)),
    code: Number.parseInt(nextPart, 10),
    seconds: secondsOf(nextPart) - secondsOf(parts[index]!),
  }));
}
