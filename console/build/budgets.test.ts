import { expect, test } from 'vitest';
import { compareSizes } from './budgets.ts';

const files = [
  { name: 'assets/index.js', isShell: true, gzipBytes: 100_000 },
  { name: 'assets/vendor.js', isShell: true, gzipBytes: 20_000 },
  { name: 'assets/index.css', isShell: true, gzipBytes: 2_340 },
  { name: 'assets/map.js', isShell: false, gzipBytes: 41_000 },
];

test('sums the chunks of the shell and compares every other chunk by itself', () => {
  expect(compareSizes(files, { shell: 120, css: 15, further: 41 })).toEqual({
    fits: true,
    lines: [
      'shell: 120.0 kB of 120 kB, fits',
      'styles: 2.3 kB of 15 kB, fits',
      'assets/map.js: 41.0 kB of 41 kB, fits',
    ],
  });
});

test.each([
  [{ shell: 1, css: 15, further: 41 }, 'shell: 120.0 kB of 1 kB, too large'],
  [{ shell: 180, css: 2, further: 41 }, 'styles: 2.3 kB of 2 kB, too large'],
  [{ shell: 180, css: 15, further: 40 }, 'assets/map.js: 41.0 kB of 40 kB, too large'],
])('names the part that exceeds %j', (limits, line) => {
  const { fits, lines } = compareSizes(files, limits);
  expect(fits).toBe(false);
  expect(lines).toContain(line);
});
