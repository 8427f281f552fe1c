import type { Command } from '../command.ts';
import { line } from '../output.ts';
import { ProgressBar } from '../progress.ts';

export const keysRotate: Command = {
  name: 'keys rotate',
  positionals: [],
  doc: 'Replace the data key, and with --new-key the master key, while nodes run',
  about: ['Stopped anywhere, it is simply started again. docs/keys.md says what to do on each node.'],
  options: {
    'new-key': { value: 'FILE', doc: 'Master key to change to, made by portreeve keys create' },
    wait: { value: 'SECONDS', doc: 'How long nodes may take to get the new key file (600)' },
  },
  async run(args, screen) {
    const { readConfig } = await import('@portreeve/server/config.ts');
    const { rotateKeys } = await import('@portreeve/server/rotate-keys.ts');
    const bar = new ProgressBar(screen.err, 'Sealing');
    let told = '';
    const { dataKey, resealed } = await rotateKeys(await readConfig(), args.text('new-key'), {
      waitSecondsMax: args.number('wait') ?? 600,
      report: async ({ step, done, total, text }) => {
        if (step === 'reseal') return bar.show(done, total, text);
        if (text !== told) await line(screen.err, text);
        told = text;
      },
    }).finally(() => bar.end());
    await line(screen.out, `Data key ${dataKey} is in use; secrets of ${resealed} records were sealed anew.`);
  },
};
