/* Finds what passes on an idle machine only: bounds on elapsed time, fixed ports, and sleeps in place of waiting for a condition. */

export type Kind = 'elapsed time' | 'fixed port' | 'sleep';

export interface Finding {
  kind: Kind;
  file: string;
  /** Its line, without indentation: numbers of lines change with every edit. */
  line: string;
}

/** A bracket, with the name that is called or the keyword before it. */
interface Bracket {
  word: string;
  from: number;
  to: number;
}

/** Starts of strings, templates, comments and regular expressions; `/` divides behind a name, a number or a closing bracket. */
const quoted =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/** The text without comments, and the code without what stands in quotes; both with every character in its place. */
function layersOf(text: string): { text: string; code: string } {
  return {
    text: text.replaceAll(quoted, (piece) => (/^\/[/*]/.test(piece) ? blank(piece) : piece)),
    code: text.replaceAll(quoted, (piece) => (/^['"`]/.test(piece) ? `'${blank(piece.slice(2))}'` : blank(piece))),
  };
}

/** Characters before a place that are looked at, at most. */
const statementMax = 400;
const wordMax = 60;

const before = (code: string, at: number): string => code.slice(Math.max(0, at - statementMax), at);

const wordBefore = (code: string, at: number): string =>
  /((?:\bnew )?[\w$.]+)(?:<[^<>()]*>)?\s*$/.exec(code.slice(Math.max(0, at - wordMax), at))?.[1] ?? '';

function bracketsOf(code: string): Bracket[] {
  const found: Bracket[] = [];
  const open: Bracket[] = [];
  let closed: Bracket | undefined;
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(sign)) {
      // The block behind `while (…)` belongs to its keyword.
      const isBody = sign === '{' && closed !== undefined && /^\s*$/.test(code.slice(closed.to + 1, index));
      const bracket = { word: isBody ? closed!.word : wordBefore(code, index), from: index, to: -1 };
      found.push(bracket);
      open.push(bracket);
    } else {
      closed = open.pop();
      if (closed) closed.to = index;
    }
  }
  return found;
}

const waiting = /^(for|for await|await|while|do|expect\.poll|vi\.waitFor|vi\.waitUntil|until)$/;

/** Whether a place is within a loop or a poll: then it is the pause between two looks. */
function isRepeated(code: string, brackets: readonly Bracket[], at: number): boolean {
  const around = brackets.filter(({ from, to }) => from < at && at < to);
  if (around.some(({ word }) => waiting.test(word))) return true;
  // A loop whose body is one statement: from its bracket to the end of the statement.
  const statement = at - /[^;{}]*$/.exec(before(code, at))![0].length;
  return brackets.some(({ word, to }) => /^(for|while)$/.test(word) && statement <= to && to < at);
}

const now = /\b(?:performance|Date)\.now\(\)|\bhrtime\b/;
const elapsedName =
  /\b(?:ms|took|elapsed|duration|\w*(?:Ms|Took|Elapsed|Duration|DurationSeconds|TookSeconds|tookSeconds))\b/;
const upperBound = /^(?:toBeLessThan|toBeLessThanOrEqual|toBeCloseTo)$/;
const lowerBound = /^(?:toBeGreaterThan|toBeGreaterThanOrEqual)$/;

/** Names that this file gives to what the pattern matches: `const took = performance.now() - began`. */
const namesFor = (code: string, value: string): Set<string> =>
  new Set([...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${value}`, 'g'))].map((match) => match[1]!));

const namesAny = (names: ReadonlySet<string>, expression: string): boolean =>
  [...expression.matchAll(/(?<![.\w])\w+/g)].some(([name]) => names.has(name));

function* elapsedTimes(code: string, brackets: readonly Bracket[]): Generator<number> {
  const differences = namesFor(code, String.raw`[^;=]*\b(?:performance|Date)\.now\(\)\s*-`);
  const processorTimes = namesFor(code, String.raw`(?:await\s+)?cpuMsOf\(`);
  const ends = new Map(brackets.map(({ from, to }) => [from, to]));
  for (const { word, from, to } of brackets) {
    if (word !== 'expect') continue;
    const behind = code.slice(to + 1, to + 1 + statementMax);
    const { 0: matcher, 1: called = '' } = /^\s*(?:\.\w+)*\.(\w+)\(/.exec(behind) ?? [''];
    const opened = to + matcher.length;
    const [value, bound] = [code.slice(from + 1, to), code.slice(opened + 1, ends.get(opened))];
    if (/\bpromised\(/.test(`${value} ${bound}`) || /\bcpuMsOf\(/.test(value) || namesAny(processorTimes, value))
      continue;
    const isElapsed = now.test(value) || elapsedName.test(value) || namesAny(differences, value);
    const isCompared = /[<>]/.test(value.replaceAll('=>', '')) && called === 'toBe';
    if (isElapsed && (upperBound.test(called) || isCompared)) yield from;
    else if (lowerBound.test(called) && now.test(bound)) yield from;
  }
}

const portLiteral = String.raw`(?!0\b)\d[\d_]*`;
/** What listens: `listen(2222)`, `bind(2222)`, and what starts a server. */
const listening =
  /(?:^|\.)(?:listen|bind)$|^(?:open|start|serve(?!r)|run|launch)\w*$|\b(?:open|start|serve)$|^new \w*(?:Server|Listener|Receiver|Agent|Device)$/;

function* fixedPorts(text: string, code: string, brackets: readonly Bracket[]): Generator<number> {
  const constants = namesFor(code, String.raw`${portLiteral}\s*[;,\n]`);
  for (const { word, from, to } of brackets) {
    const own = code.slice(from + 1, to);
    const first = /^\s*([\w]+)\s*(?:[,)]|$)/.exec(own)?.[1] ?? '';
    if (/\.(?:listen|bind)$/.test(word) && (/^[1-9]/.test(first) || constants.has(first))) yield from;
    else if (listening.test(word))
      for (const { 1: port, index } of own.matchAll(/\b(?:p|\w+P)ort:\s*(\w+)/g))
        if (/^[1-9]/.test(port!) || constants.has(port!)) {
          yield from + 1 + index;
          break;
        }
  }
  const written = String.raw`(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):${portLiteral}|\bPORTREEVE_\w*PORT['"]?\s*[:=]\s*['"]?${portLiteral}`;
  for (const { index } of text.matchAll(new RegExp(written, 'g'))) yield index;
}

function* sleeps(file: string, code: string, brackets: readonly Bracket[]): Generator<number> {
  for (const { word, from, to } of brackets) {
    const own = code.slice(from + 1, to);
    const isSleep = /^(?:sleep|delay)$/.test(word) && !/^\s*0?\s*$/.test(own);
    const isPromise =
      word === 'setTimeout' && /\bnew Promise(?:<\w+>)?\(\s*\(?\w+\)?\s*=>\s*$/.test(before(code, from - word.length));
    // A helper may end by a clock what hangs; what a test does later stands for "by then".
    const isTimer = word === 'setTimeout' && file.endsWith('.test.ts') && !/,\s*0\s*$/.test(own);
    const isDeclared = /\bfunction\s+$/.test(before(code, from - word.length));
    if ((isSleep || isPromise || isTimer) && !isDeclared && !isRepeated(code, brackets, from)) yield from;
  }
}

/** Everything in one file that a busy machine can break, by line. */
export function brokenByLoad(file: string, source: string): Finding[] {
  const { text, code } = layersOf(source);
  const brackets = bracketsOf(code);
  const lineStart = (at: number): number => source.lastIndexOf('\n', at - 1) + 1;
  const lineFrom = (at: number): string => source.slice(at).split('\n', 1)[0]!.trim();
  const found: [Kind, Iterable<number>][] = [
    ['elapsed time', elapsedTimes(code, brackets)],
    ['fixed port', fixedPorts(text, code, brackets)],
    ['sleep', sleeps(file, code, brackets)],
  ];
  // Two equal lines are two findings: an exception is for one place.
  return found.flatMap(([kind, places]) =>
    [...new Set([...places].map(lineStart))].map((at): Finding => ({ kind, file, line: lineFrom(at) })),
  );
}
