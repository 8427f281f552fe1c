import { isObject } from './set.ts';
import { escapedJson } from './text.ts';

/** Text that YAML reads as itself: words that begin with a letter, and none that it takes for something else. */
const plain = /^[A-Za-z](?:[\w ./()-]*[\w./()-])?$/;
const reservedWords = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** A value as YAML, a line an item. Text that could be read in another way is quoted as in JSON, which YAML contains. */
export const yamlLines = (value: unknown): string[] => {
  if (Array.isArray(value) && value.length > 0) return value.flatMap((item) => indented(yamlLines(item), '- '));
  if (isObject(value) && Object.keys(value).length > 0)
    return Object.entries(value).flatMap(([name, item]) => fieldLines(name, item));
  return [scalar(value)];
};

function fieldLines(name: string, value: unknown): string[] {
  const [first, ...rest] = yamlLines(value);
  const isBelow = (Array.isArray(value) && value.length > 0) || (isObject(value) && Object.keys(value).length > 0);
  return isBelow ? [`${scalar(name)}:`, ...indented([first!, ...rest], '  ')] : [`${scalar(name)}: ${first}`];
}

const indented = ([first, ...rest]: readonly string[], mark: string): string[] => [
  `${mark}${first}`,
  ...rest.map((line) => `${' '.repeat(mark.length)}${line}`),
];

const scalar = (value: unknown): string =>
  typeof value === 'string' && plain.test(value) && !reservedWords.test(value) ? value : escapedJson(value ?? null);
