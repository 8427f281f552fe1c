import { unusualWord } from './wording.ts';

const subjectMax = 72;

/** Files whose change needs no reason in the body: documents and tests. */
const bodyOptional = /\.md$|^docs\/|\.test\.tsx?$|^server\/test\/|^console\/e2e\//;

/** First words that are no imperative: articles, pronouns, question words and prepositions. */
const noVerb = new Set(
  'a an the this that these those it its one no not who what where when why how if of on by at for with from there all each every also now'.split(
    ' ',
  ),
);

/** Verbs in the imperative that look like another form. */
const imperatives = new Set(
  'bring string ring embed feed need seed shed speed exceed proceed succeed focus alias bias'.split(' '),
);

/** Subjects that git writes itself, and commits that are squashed before they land. */
const isOfGit = (subject: string): boolean => /^(Merge |Revert "|fixup! |squash! |amend! )/.test(subject);

/** The message that git stores: without comments and without the diff of `commit --verbose`. */
export function storedMessage(text: string): string {
  const [message] = text.split(/^# -+ >8 -+$/m) as [string];
  return message
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .trim();
}

/** What CONTRIBUTING.md (Commits) requires and a message lacks, a sentence each. */
export function faultsOfMessage(message: string, changedFiles: readonly string[]): string[] {
  const [subject = '', second = '', ...rest] = message.split('\n');
  // An empty message ends the commit without our help.
  if (subject === '' || isOfGit(subject)) return [];
  const faults: string[] = [];
  if (subject.length > subjectMax)
    faults.push(`The subject has ${subject.length} characters; at most ${subjectMax} are allowed.`);
  if (subject.includes(';'))
    faults.push('The subject has a semicolon. Keep one thought; the body takes the second, or another commit.');
  if (subject.endsWith('.')) faults.push('The subject ends with a full stop. Leave it out.');
  const match = /^([a-z0-9][\w./-]*(?:, [a-z0-9][\w./-]*)*): (\S+)/.exec(subject);
  if (!match)
    faults.push('The subject is not of the form "area: imperative", such as "radius: refuse an empty secret".');
  else if (!isImperative(match[2]!))
    faults.push(`"${match[2]}" is not an imperative. Start with a verb, such as "add", "refuse" or "return".`);
  const word = unusualWord(subject.replace(/^[^:]*: /, ''));
  if (word) faults.push(`"${word}" is not plain technical English. docs/glossary.md (Verbs) names other words.`);
  if (second !== '') faults.push('The second line is not empty. Separate subject and body by an empty line.');
  const reasonedFiles = changedFiles.filter((file) => !bodyOptional.test(file));
  if (reasonedFiles.length > 0 && rest.join('').trim() === '' && second === '')
    faults.push(`There is no body. Say why, because ${reasonedFiles[0]} changes more than documents and tests.`);
  return faults;
}

function isImperative(word: string): boolean {
  const verb = word.toLowerCase().replace(/[^a-z-]+$/, '');
  if (imperatives.has(verb)) return true;
  return /^[a-z-]+$/.test(verb) && !noVerb.has(verb) && !/(ed|ing|[^s]s)$/.test(verb);
}
