import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { flag, text } from '../command.ts';
import { defineTrial } from '../define-trial.ts';
import { masks } from '../docs/masks.ts';
import { runPage } from '../docs/run-page.ts';
import { checkout, startDemo } from '../docs/start-demo.ts';

export const trial = defineTrial({
  doc: 'Types every block of shell of README and handbook into a fresh demonstration, page after page, and compares what is printed with the page.',
  options: {
    only: text(undefined, 'pages whose name contains this'),
    reverse: flag('the pages in the other order'),
    times: flag('print what each section took'),
    masks: flag('print what may differ, and run nothing'),
  },
  async run({ only = '', reverse, times, masks: printsMasks }) {
    if (printsMasks) return masks.forEach(({ what }) => void console.log(what));
    const handbook = readdirSync(join(checkout, 'docs/handbook')).map((name) => `docs/handbook/${name}`);
    const pages = ['README.md', ...handbook.sort()].filter((page) => page.includes(only));
    if (reverse) pages.reverse();
    const demo = await startDemo();
    try {
      const sum = { run: 0, differing: 0, skipped: 0 };
      for (const page of pages) {
        const { run, skipped, differing, differences, sections } = await runPage(
          join(checkout, page),
          demo.environment,
        );
        console.log(`${page}: ${run} run, ${differing} differ, ${skipped} not for the demo`);
        if (times)
          for (const [title, { commands, seconds }] of sections)
            console.log(`${seconds.toFixed(1).padStart(8)} s  ${String(commands).padStart(2)} commands  ${title}`);
        for (const { place, command, expected, printed } of differences)
          console.log([place, `$ ${command}`, 'shown:', ...expected, 'printed:', ...printed].join('\n  '));
        sum.run += run;
        sum.differing += differing;
        sum.skipped += skipped;
      }
      console.log(`${sum.run} blocks run, ${sum.differing} differ; ${sum.skipped} are marked as not for the demo.`);
      if (sum.differing > 0) process.exitCode = 1;
    } finally {
      await demo.end();
    }
  },
});
