import { quoted, splitOutside } from './filter-text.ts';

/** The operator of a condition. */
export type Comparison = 'is' | 'isNot' | 'isLess' | 'isMore' | 'isAtMost' | 'isAtLeast' | 'isEmpty' | 'isNotEmpty';

/** A field compared with one or several values. Values use the filter syntax: `*` is a wildcard, `\*` a literal star. */
export interface Condition {
  field: string;
  comparison: Comparison;
  values: readonly string[];
}

/** Part of a filter: alternatives of which one must match. A part that the dialog cannot edit has only its text. */
export interface FilterElement {
  text: string;
  anyOf?: readonly Condition[];
}

const comparisons: Readonly<Record<string, Comparison>> = {
  '==': 'is',
  '=in=': 'is',
  '!=': 'isNot',
  '=out=': 'isNot',
  '<': 'isLess',
  '=lt=': 'isLess',
  '>': 'isMore',
  '=gt=': 'isMore',
  '<=': 'isAtMost',
  '=le=': 'isAtMost',
  '>=': 'isAtLeast',
  '=ge=': 'isAtLeast',
};

/** Splits a filter into elements, all of which must match. */
export function filterElements(filter: string): FilterElement[] {
  if (filter === '') return [];
  const parts = splitOutside(filter, ',').length > 1 ? [filter] : splitOutside(filter, ';');
  return parts.map((part) => {
    const anyOf = alternativesOf(withoutParentheses(part.trim()));
    return { text: part, ...(anyOf && { anyOf }) };
  });
}

/** Joins elements to the filter that is sent. */
export function filterOfElements(elements: readonly FilterElement[]): string {
  const isAlone = elements.length === 1;
  return elements
    .map(({ text, anyOf }) => {
      const isOr = splitOutside(text, ',').length > 1;
      return anyOf === undefined || !isOr || isAlone ? text : `(${text})`;
    })
    .join(';');
}

export const elementOf = (anyOf: readonly Condition[]): FilterElement => ({
  text: anyOf.map(conditionText).join(','),
  anyOf,
});

function conditionText({ field, comparison, values }: Condition): string {
  if (comparison === 'isEmpty' || comparison === 'isNotEmpty') return `${field}=isnull=${comparison === 'isEmpty'}`;
  if (values.length !== 1 && (comparison === 'is' || comparison === 'isNot'))
    return `${field}${comparison === 'is' ? '=in=' : '=out='}(${values.map(valueText).join(',')})`;
  const operators = { is: '==', isNot: '!=', isLess: '<', isMore: '>', isAtMost: '<=', isAtLeast: '>=' } as const;
  return `${field}${operators[comparison]}${valueText(values[0] ?? '')}`;
}

/** Quotes a value if the filter syntax requires it. */
const valueText = (value: string): string => (/^[^\s'"();,=!~<>\\]+$/.test(value) ? value : quoted(value));

/** Parses alternatives; undefined if the text is more complex. */
function alternativesOf(text: string): Condition[] | undefined {
  if (splitOutside(text, ';').length > 1) return undefined;
  const conditions = splitOutside(text, ',').map((part) => conditionOf(part.trim()));
  return conditions.every((condition) => condition !== undefined) ? conditions : undefined;
}

const form = /^([A-Za-z][\w.-]*)(==|!=|<=|>=|=[a-z]+=|<|>)(.*)$/s;

function conditionOf(text: string): Condition | undefined {
  const [, field, operator, rest] = form.exec(text) ?? [];
  if (field === undefined || operator === undefined || rest === undefined) return undefined;
  if (operator === '=isnull=')
    return { field, comparison: /^true$/i.test(rest) ? 'isEmpty' : 'isNotEmpty', values: [] };
  const comparison = comparisons[operator];
  if (!comparison) return undefined;
  const isList = operator === '=in=' || operator === '=out=';
  if (isList && !/^\(.*\)$/s.test(rest)) return undefined;
  const values = isList ? splitOutside(rest.slice(1, -1), ',').map((value) => value.trim()) : [rest];
  return { field, comparison, values: values.map(withoutQuotes) };
}

function withoutQuotes(text: string): string {
  const [quote] = text;
  const isQuoted = text.length > 1 && (quote === '"' || quote === "'") && text.endsWith(quote);
  return isQuoted ? text.slice(1, -1).replaceAll(`\\${quote}`, quote) : text;
}

/** Removes parentheses that enclose the complete text. */
function withoutParentheses(text: string): string {
  if (!text.startsWith('(') || !text.endsWith(')')) return text;
  const inner = text.slice(1, -1);
  let depth = 0;
  for (const character of inner) {
    if (character === '(') depth += 1;
    if (character === ')' && --depth < 0) return text;
  }
  return inner;
}
