import { reconciler } from '../../context.ts';
import { loadDictionary } from './load-dictionary.ts';

/** Updates the entries of the engine from its dictionary files, which change with its release. */
export const radiusDictionary = reconciler('radius-dictionary', {
  doc: "Load the RADIUS engine's dictionary if it has changed",
  everySeconds: 3_600,
  secondsMax: 120,
  async run({ context }) {
    const dictionary = await context.protocols.radiusEngine.dictionary();
    if (dictionary) await context.write((tx) => loadDictionary(tx, dictionary));
  },
});
