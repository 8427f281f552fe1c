/** What the language check counts. */
export type Kind = 'comments' | 'names' | 'tests' | 'texts';

export const kinds: readonly Kind[] = ['comments', 'names', 'tests', 'texts'];

/** The share of each kind that may have unusual wording: other projects of this size have as much. */
export const goals: Readonly<Record<Kind, number>> = { comments: 0.005, names: 0.006, tests: 0.005, texts: 0.005 };

/** Verbs of people, pronouns for people, and idioms that readers with English as a second language read twice. */
const phrases = [
  'told|tells?|says?|said|asks?|asked|asking|hears?|heard|knows|wish(?:es)?|vouch\\w*|mends?|mended',
  "nobody|nobody's|somebody|somebody's|anybody|whom|whoever",
  'beside|anew|eyes|of use|made good|gives? way|none of (?:ours|its|theirs)|stands? at|lies? (?:beside|beneath|above)',
].join('|');

const unusual = new RegExp(`\\b(?:${phrases})\\b|(?:^|[.:;,] )who\\b|^what (?:is|are|was|were)\\b`, 'i');

export const isUnusual = (text: string): boolean => unusual.test(text);

/** The first unusual word or phrase of a text. */
export const unusualWord = (text: string): string | undefined => unusual.exec(text)?.[0].replace(/^[.:;,] /, '');

/** Prepositions, pronouns and participles that are no noun phrase when they are the whole name. */
const bareWords = new Set(
  [
    'of by at on in among within with from to over around behind beyond beside elsewhere apart further',
    'more most other others such each one whole own only next',
    'asked said given held kept seen gone made found known wanted sent told learned touched begun taken left meant read written named begins',
  ]
    .join(' ')
    .split(' '),
);

export const isBareWord = (name: string): boolean => bareWords.has(name);
