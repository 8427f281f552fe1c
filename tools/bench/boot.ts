import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const bootName = 'boot';
export const bootDoc =
  'how long a node takes from the start of its process until it answers, as it is and with 1,030 operations';

const runs = 5;
const program = fileURLToPath(new URL('./programs/boot-once.ts', import.meta.url));

interface Boot {
  ms: number;
  megabytes: number;
  operations: number;
}

/** Starts nodes one after the other and prints how long they took. */
export async function measureBoot(say: (line: string) => void): Promise<void> {
  for (const operations of ['served', '1030']) {
    const boots: Boot[] = [];
    // The first run fills the compile cache, like the first start of a release; it is printed separately.
    for (let run = 0; run <= runs; run++) boots.push(await bootOnce(operations));
    const [first, ...rest] = boots as [Boot, ...Boot[]];
    const ms = rest.map((boot) => boot.ms).sort((a, b) => a - b);
    say(
      `${first.operations} operations: ready after ${ms[Math.floor(ms.length / 2)]} ms (${ms[0]}–${ms.at(-1)}, ${runs} runs; the first of all ${first.ms} ms), ${Math.max(...rest.map((boot) => boot.megabytes))} MB resident`,
    );
  }
}

function bootOnce(operations: string): Promise<Boot> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const node = spawn(process.execPath, [program, operations], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    let boot: Boot | undefined;
    node.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (boot || !text.includes('\n')) return;
      boot = { ...JSON.parse(text.split('\n', 1)[0]!), ms: Math.round(performance.now() - started) };
      node.kill('SIGTERM');
    });
    node.on('error', fail);
    // The next one starts when this one has dropped its database.
    node.on('exit', (code) => (boot ? done(boot) : fail(new Error(`the node ended with code ${code}`))));
  });
}
