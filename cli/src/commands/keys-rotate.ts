import type { Command } from '../command.ts';
import { line } from '../output.ts';
import { ProgressBar } from '../progress.ts';

export const keysRotate: Command = {
  name: 'keys rotate',
  positionals: [],
  doc: 'Rotate the data key, and with --new-key the master key, while nodes are running',
  about: ['If interrupted, run it again. docs/keys.md describes the steps on each node.'],
  options: {
    'new-key': { value: 'FILE', doc: 'New master key, created by portreeve keys create' },
    wait: { value: 'SECONDS', doc: 'Maximum time to wait until every node has the new key file (default: 600)' },
  },
  async run(args, screen) {
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { rotateKeys } = await import('@portreeve/server/node/rotate-keys.ts');
    const bar = new ProgressBar(screen.err, 'Re-encrypting');
    let reported = '';
    const { dataKey, resealed } = await rotateKeys(await readConfig(), args.text('new-key'), {
      waitSecondsMax: args.number('wait') ?? 600,
      report: async ({ step, done, total, text }) => {
        if (step === 'reseal') return bar.show(done, total, text);
        if (text !== reported) await line(screen.err, text);
        reported = text;
      },
    }).finally(() => bar.end());
    await line(screen.out, `Data key ${dataKey} is in use. The secrets of ${resealed} records were re-encrypted.`);
  },
};
