import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './free-ports.ts';

const program = '/usr/bin/prometheus';
const startMsMax = 120_000;

export interface Prometheus {
  url: string;
  /** Returns the newest value of each series of an expression. */
  query(expression: string): Promise<{ metric: Record<string, string>; value: number }[]>;
  stop(): Promise<void>;
}

/** Starts a private Prometheus that scrapes one target each second. */
export async function startPrometheus(target: string): Promise<Prometheus> {
  if (!existsSync(program)) throw new Error('Prometheus is not installed; run `npm run setup`.');
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-prometheus-'));
  await chmod(folder, 0o755);
  const port = await freePort();
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: [{ job_name: 'portreeve', static_configs: [{ targets: [target] }] }],
  };
  // JSON is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const child: ChildProcess = spawn(
    program,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore', timeout: 300_000 },
  );
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url, child);
  return {
    url,
    async query(expression) {
      const reply = (await (await fetch(`${url}/api/v1/query?query=${encodeURIComponent(expression)}`)).json()) as {
        data: { result: { metric: Record<string, string>; value: [number, string] }[] };
      };
      return reply.data.result.map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    async stop() {
      process.off('exit', kill);
      kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (const endMs = performance.now() + startMsMax; performance.now() < endMs; ) {
    if (child.exitCode !== null) throw new Error(`Prometheus ended with code ${child.exitCode}`);
    const isReady = await fetch(`${url}/-/ready`).then(
      (reply) => reply.ok,
      () => false,
    );
    if (isReady) return;
    await sleep(50);
  }
  throw new Error('Prometheus was not ready in time');
}

/** Returns the output of `promtool check metrics` for a page; empty if it reports nothing. */
export function checkMetrics(page: string): Promise<string> {
  return new Promise((done) => {
    const child = execFile('/usr/bin/promtool', ['check', 'metrics'], (error, stdout, stderr) =>
      done(error ? `${stdout}${stderr}` || String(error) : `${stdout}${stderr}`),
    );
    child.stdin?.end(page);
  });
}
