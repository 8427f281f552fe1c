import type { Pen } from './output.ts';
import { cut, escapeUnsafe, fill } from './text.ts';

interface Check {
  section: string;
  expected: readonly string[];
  actual: string | number | boolean | readonly string[] | null;
  ok: boolean;
}

interface TraceEntry {
  step: number | null;
  kind: string;
  id: number | null;
  name: string;
  rank: number | null;
  result: string;
  checks: readonly Check[];
}

/** The parts of an explained decision that are printed. */
export interface ExplainedDecision {
  at: string;
  mac: string;
  userName: string | null;
  outcome: string;
  accessState: string | null;
  logicalNetwork: string | null;
  value: { accessType: string; accessValue: string; source: string } | null;
  families: Readonly<Record<string, { name: string | null } | null>>;
  reason: string;
  trace: readonly TraceEntry[];
}

const marks: Readonly<Record<string, string>> = {
  MATCH: '✓',
  NO_MATCH: '✗',
  NOT_REACHED_WOULD_MATCH: '+',
  NOT_REACHED: '·',
  DISABLED: '-',
  SKIPPED_NOT_ENFORCED_HERE: '~',
};

/** Policies of one step that are printed: those that match, and the first of the others. */
const entriesMax = 12;
const nameWidth = 34;

/** Formats a decision: the reason, the source of the access value, then each step; at most one screen. */
export function drawDecision(decision: ExplainedDecision, pen: Pick<Pen, 'style' | 'width'>): string[] {
  const { mac, userName, at: instant, reason, trace } = decision;
  const heading = [mac || 'no adapter', ...(userName ? [`user ${escapeUnsafe(userName)}`] : []), instant].join(', ');
  return [
    pen.style('dim', heading),
    pen.style('bold', escapeUnsafe(reason)),
    valueLine(decision),
    ...familyLines(decision),
    '',
    ...[...grouped(trace).values()].flatMap((entries) => stepLines(entries, pen)),
  ];
}

/** Sources of an access value, in words. */
const sources: Readonly<Record<string, string>> = {
  PORT: 'the port',
  SSID: 'the SSID',
  DEVICE: 'the device',
  CONTAINER: 'a container',
  DEFAULT: 'the default of the logical network',
  DIRECT: 'the access configuration itself',
};

function valueLine({ outcome, accessState, logicalNetwork, value }: ExplainedDecision): string {
  const state = [outcome, accessState].filter(Boolean).join(' ');
  const network = logicalNetwork === null ? '' : `, logical network ${escapeUnsafe(logicalNetwork)}`;
  if (!value) return `${state}${network}, no access value`;
  const valueText = `${value.accessType} ${escapeUnsafe(value.accessValue)}`.trim();
  return `${state}${network}, ${valueText} from ${sources[value.source] ?? value.source}`;
}

const familyLines = ({ families }: ExplainedDecision): string[] =>
  Object.entries(families).flatMap(([family, decided]) =>
    decided ? [`${family} policy: ${escapeUnsafe(decided.name ?? 'not visible to you')}`] : [],
  );

/** Groups the entries by step and by policy family, in their order. */
function grouped(trace: readonly TraceEntry[]): ReadonlyMap<string, TraceEntry[]> {
  const steps = new Map<string, TraceEntry[]>();
  for (const entry of trace) {
    const key = entry.step === null ? entry.kind : String(entry.step);
    steps.set(key, [...(steps.get(key) ?? []), entry]);
  }
  return steps;
}

function stepLines(entries: readonly TraceEntry[], pen: Pick<Pen, 'style' | 'width'>): string[] {
  const isShown = (entry: TraceEntry, index: number) => index < entriesMax || entry.result === 'MATCH';
  const shown = entries.filter(isShown).map((entry) => entryLine(entry, pen));
  const hidden = entries.length - shown.length;
  return hidden > 0 ? [...shown, `      … ${hidden} more; --json shows all`] : shown;
}

function entryLine(entry: TraceEntry, pen: Pick<Pen, 'style' | 'width'>): string {
  const { step, kind, name, rank, result } = entry;
  const place = step === null ? ' ' : String(step);
  const title = rank === null ? name : `${rank}. ${name}`;
  const label = step === null ? `${title} (${kind.toLowerCase()})` : title;
  const head = `${marks[result] ?? '?'} ${place} ${fill(cut(escapeUnsafe(label), nameWidth), nameWidth)}`;
  const text = `${head} ${failedCheck(entry)}`.trimEnd();
  const fitted = pen.width === undefined ? text : cut(text, pen.width);
  return result === 'MATCH' ? pen.style('green', fitted) : result === 'NO_MATCH' ? fitted : pen.style('dim', fitted);
}

/** Formats the first failed check with the expected and the actual value. */
function failedCheck({ checks }: TraceEntry): string {
  const failed = checks.find(({ ok }) => !ok);
  if (!failed) return '';
  const actual = Array.isArray(failed.actual) ? failed.actual.join(', ') : (failed.actual ?? 'none');
  return escapeUnsafe(
    `${failed.section}: requires ${failed.expected.join(' or ') || 'none'}; actual ${actual || 'none'}`,
  );
}
