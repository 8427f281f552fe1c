import type { BuiltFile } from './build-console.ts';

/** kB, gzip. */
export interface Budgets {
  /** Script that is loaded before anything is shown. */
  shell: number;
  css: number;
  /** Script of any further screen or group. */
  further: number;
}

export const budgets: Budgets = { shell: 180, css: 15, further: 40 };

const kB = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** A line for each file and for what is loaded first, and whether all of it is small enough. */
export function compareSizes(files: readonly BuiltFile[], limits: Budgets): { lines: string[]; fits: boolean } {
  const scripts = files.filter(({ name }) => name.endsWith('.js'));
  const parts = [
    { name: 'shell', files: scripts.filter(({ isShell }) => isShell), limit: limits.shell },
    { name: 'styles', files: files.filter(({ name }) => name.endsWith('.css')), limit: limits.css },
    ...scripts
      .filter(({ isShell }) => !isShell)
      .map((file) => ({ name: file.name, files: [file], limit: limits.further })),
  ];
  const judged = parts.map(({ name, files: partFiles, limit }) => {
    const bytes = partFiles.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0);
    const isWithin = bytes <= limit * 1_000;
    const verdict = isWithin ? 'fits' : 'too large';
    return { isWithin, line: `${name}: ${kB(bytes)} kB of ${limit} kB, ${verdict}` };
  });
  return { lines: judged.map(({ line }) => line), fits: judged.every(({ isWithin }) => isWithin) };
}
