import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** How long a node takes from the start of its process until it answers, as it is and with every operation of the contract. */

const runs = 5;
const child = fileURLToPath(new URL('./boot-once.ts', import.meta.url));

for (const routes of ['served', '1030']) {
  const results: { ms: number; megabytes: number; operations: number }[] = [];
  // The first run fills the compile cache, as the first start of a release does; it is told apart.
  for (let run = 0; run <= runs; run++) results.push(await bootOnce(routes));
  const [first, ...rest] = results as [(typeof results)[number], ...typeof results];
  const ms = rest.map((result) => result.ms).sort((a, b) => a - b);
  console.log(
    `${first.operations} operations: ready after ${ms[Math.floor(ms.length / 2)]} ms (${ms[0]}–${ms.at(-1)}, ${runs} runs; the first of all ${first.ms} ms), ${Math.max(...rest.map((result) => result.megabytes))} MB resident`,
  );
}

function bootOnce(routes: string): Promise<{ ms: number; megabytes: number; operations: number }> {
  return new Promise((done, fail) => {
    const started = performance.now();
    const node = spawn(process.execPath, [child, routes], { stdio: ['ignore', 'pipe', 'inherit'] });
    let text = '';
    node.stdout.on('data', (chunk: Buffer) => {
      text += chunk;
      if (!text.includes('\n')) return;
      done({ ...JSON.parse(text.split('\n', 1)[0]!), ms: Math.round(performance.now() - started) });
      node.kill('SIGTERM');
    });
    node.on('error', fail);
  });
}
