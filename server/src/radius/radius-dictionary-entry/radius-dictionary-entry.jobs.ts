import { reconciler } from '../../context.ts';
import { loadDictionary } from './load-dictionary.ts';

/** Keeps the entries of the engine as its files have them; a changed file is one of another release. */
export const radiusDictionary = reconciler('radius-dictionary', {
  doc: "Reads the RADIUS engine's dictionary, where it has changed.",
  everySeconds: 3_600,
  secondsMax: 120,
  async run({ context }) {
    const dictionary = await context.protocols.radiusEngine.dictionary();
    if (dictionary) await context.write((tx) => loadDictionary(tx, dictionary));
  },
});
