import type { TraceEntry } from '@portreeve/sdk/generated/api.ts';

/** A step or policy in the current decision and in the one for changed conditions. */
export interface ComparedStep {
  key: string;
  step: number | null;
  name: string;
  rank: number | null;
  now: TraceEntry | undefined;
  otherwise: TraceEntry | undefined;
  isDifferent: boolean;
}

const keyOf = ({ kind, id, name }: TraceEntry): string => `${kind} ${id ?? name}`;

/** Aligns two decisions in the order of the first; entries that only the second has are inserted at their position. */
export function compareTraces(now: readonly TraceEntry[], then: readonly TraceEntry[]): ComparedStep[] {
  const currentEntries = new Map(now.map((entry) => [keyOf(entry), entry]));
  const right = new Map(then.map((entry) => [keyOf(entry), entry]));
  const keys = [...currentEntries.keys()];
  let after = -1;
  for (const key of right.keys()) {
    const place = keys.indexOf(key);
    if (place < 0) keys.splice(++after, 0, key);
    else after = place;
  }
  return keys.map((key) => {
    const [current, alternative] = [currentEntries.get(key), right.get(key)];
    const { step, name, rank } = (current ?? alternative)!;
    return {
      key,
      step,
      name,
      rank,
      now: current,
      otherwise: alternative,
      isDifferent: comparedText(current) !== comparedText(alternative),
    };
  });
}

/** Returns what is compared: the result and the checks. */
const comparedText = (entry: TraceEntry | undefined): string =>
  entry === undefined ? '' : JSON.stringify([entry.result, entry.checks]);

/** Converts lines such as `NAS-Port-Type=Ethernet` to query parameters. */
export function radiusParameters(lines: string): Record<string, string> {
  const pairs = lines
    .split('\n')
    .map((line) => line.split('='))
    .filter(([name = '']) => name.trim() !== '');
  return Object.fromEntries(pairs.map(([name, ...value]) => [`radius.${name!.trim()}`, value.join('=').trim()]));
}
