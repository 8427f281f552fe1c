import { accountsToRemap, remapAccount } from '../../auth/remap.ts';
import { job } from '../../context.ts';
import { Failure } from '../../kernel/failure.ts';

/** Poked by what changes mappings and groups; each minute all the same, so that nothing done in another way is missed. */
export const adminRemap = job('admin-remap', {
  doc: 'Give administrators the profiles that mappings say',
  at: '* * * * *',
  secondsMax: 55,
  repeatable: true,
  async run(_payload, { context, signal }) {
    let behind = 0;
    while (!signal.aborted) {
      const ids = await context.write((tx) => accountsToRemap(tx, behind));
      if (ids.length === 0) return;
      behind = ids.at(-1)!;
      for (const id of ids) await remap(id);
    }

    async function remap(id: number): Promise<void> {
      try {
        await context.write((tx) => remapAccount(tx, id));
      } catch (error) {
        // The last administrator keeps the profile; nobody else has to wait for that.
        if (!(error instanceof Failure)) throw error;
      }
    }
  },
});
