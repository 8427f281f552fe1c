import type { BuiltFile } from './build-console.ts';

/** Size limits in kB after gzip. */
export interface Budgets {
  /** Scripts that are loaded before the first paint. */
  shell: number;
  css: number;
  /** Each further chunk of a screen or resource. */
  further: number;
}

export const budgets: Budgets = { shell: 180, css: 15, further: 40 };

const kB = (bytes: number): string => (bytes / 1_000).toFixed(1);

/** Compares the sizes with the limits: one line for the shell, the styles and each further chunk. */
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
