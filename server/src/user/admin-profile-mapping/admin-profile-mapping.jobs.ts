import { reconciler } from '../../context.ts';
import { Failure } from '../../kernel/failure.ts';
import { accountsToRemap, remapAccount } from './admin-profile-mapping.service.ts';

/** Runs when mappings or groups change, and also every minute, to include changes that sent no notification. */
export const adminRemap = reconciler('admin-remap', {
  doc: 'Assign profiles to administrators by mapping',
  everySeconds: 60,
  secondsMax: 55,
  async run({ context, signal }) {
    let lastID = 0;
    while (!signal.aborted) {
      const ids = await context.write((tx) => accountsToRemap(tx, lastID));
      if (ids.length === 0) return;
      lastID = ids.at(-1)!;
      for (const id of ids) await remap(id);
    }

    async function remap(id: number): Promise<void> {
      try {
        await context.write((tx) => remapAccount(tx, id));
      } catch (error) {
        // The profile of the last administrator cannot be removed. The other accounts are processed anyway.
        if (!(error instanceof Failure)) throw error;
      }
    }
  },
});
