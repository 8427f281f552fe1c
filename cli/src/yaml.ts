import { isObject } from './set.ts';
import { escapedJson } from './text.ts';

/** Text that needs no quotes in YAML: words that start with a letter, except reserved words. */
const plain = /^[A-Za-z](?:[\w ./()-]*[\w./()-])?$/;
const reservedWords = /^(?:null|true|false|yes|no|on|off|y|n)$/i;

/** Formats a value as lines of YAML. Text that YAML would parse as another type is quoted as in JSON, which is valid YAML. */
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
