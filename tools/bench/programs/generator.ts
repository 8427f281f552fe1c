import { type LoadReport, type LoadSpec, runLoad } from '../load.ts';
import type { SubjectName } from '../subjects/subject.ts';
import { subjects } from '../subjects/subjects.ts';
import { Writer } from '../writer.ts';

/**
 * The load generator in a separate process: it writes to the databases all the time, and runs one load after another.
 */
export interface GeneratorOptions {
  seed: number;
  writers: readonly { name: string; url: string; subject: SubjectName; rows: number }[];
}

export type GeneratorOrder = { writer: string; load: LoadSpec };
export type GeneratorAnswer = { report: LoadReport; cpuMs: number } | { error: string } | { ready: true };

const { seed, writers: writerOptions } = JSON.parse(process.argv[2]!) as GeneratorOptions;
const writers = new Map<string, Writer>();
for (const { name, url, subject, rows } of writerOptions) {
  const writer = new Writer(url, subjects[subject], rows, seed);
  await writer.start();
  writers.set(name, writer);
}

const answer = (what: GeneratorAnswer) => process.send!(what);

async function obey({ writer, load }: GeneratorOrder): Promise<void> {
  const before = process.cpuUsage();
  try {
    const report = await runLoad(load, writers.get(writer)!);
    const { user, system } = process.cpuUsage(before);
    answer({ report, cpuMs: (user + system) / 1_000 });
  } catch (error) {
    answer({ error: error instanceof Error ? error.message : String(error) });
  }
}

process.on('message', (order: GeneratorOrder) => void obey(order));
process.on('disconnect', () => process.exit(0)).on('SIGTERM', () => process.exit(0));
answer({ ready: true });
