import type { Check, NamedElement, Part, Phrase, TraceEntry, TraceResult } from './decision.ts';

/** Returns the name of an element; undefined if the reader may not view it. */
export type NameFor = (element: NamedElement) => string | undefined;

export interface WrittenCheck {
  section: Check['section'];
  expected: string[];
  actual: string | string[] | null;
  ok: boolean;
}

/** An entry of the trace as the API returns it. */
export interface WrittenEntry {
  step: number | null;
  kind: string;
  id: number | null;
  name: string;
  rank: number | null;
  result: TraceResult;
  checks: WrittenCheck[];
}

const writeElement = (element: NamedElement, nameFor: NameFor): string =>
  nameFor(element) ?? `${element.kind} #${element.id}`;

/** Writes a phrase as text. A name that the reader may not view is replaced by kind and id. */
export function writePhrase(phrase: Phrase, nameFor: NameFor): string {
  const parts: readonly Part[] = Array.isArray(phrase) ? phrase : [phrase as Part];
  return parts.reduce<string>((text, part) => {
    if (typeof part === 'string') return text + part;
    // A text such as "port group: " before a hidden name already contains its kind.
    const isNamed = text.trimEnd().replace(/:$/, '').toLowerCase().endsWith(part.kind);
    return text + (isNamed && nameFor(part) === undefined ? `#${part.id}` : writeElement(part, nameFor));
  }, '');
}

function writeActual(actual: Check['actual'], nameFor: NameFor): string | string[] | null {
  if (actual === null) return null;
  return 'one' in actual ? writePhrase(actual.one, nameFor) : actual.list.map((phrase) => writePhrase(phrase, nameFor));
}

export const writeTrace = (trace: readonly TraceEntry[], nameFor: NameFor): WrittenEntry[] =>
  trace.map(({ step, kind, element, name, rank, result, checks }) => ({
    step,
    kind,
    id: element?.id ?? null,
    name: element ? writeElement(element, nameFor) : name,
    rank,
    result,
    checks: checks.map(({ section, expected, actual, ok }) => ({
      section,
      expected: expected.map((phrase) => writePhrase(phrase, nameFor)),
      actual: writeActual(actual, nameFor),
      ok,
    })),
  }));
