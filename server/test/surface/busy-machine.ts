/*
 * Finds test code that only passes on an idle machine: bounds on elapsed time, fixed ports, and sleeps in place of
 * waiting for a condition.
 */

export type Kind = 'elapsed time' | 'fixed port' | 'sleep';

export interface Finding {
  kind: Kind;
  file: string;
  /** The text of the line, without indentation: line numbers change with every edit. */
  line: string;
}

/** A pair of brackets, with the called name or the keyword before it. */
interface Bracket {
  word: string;
  start: number;
  end: number;
}

/**
 * Matches strings, templates, comments and regular expressions; `/` divides behind a name, a number or a closing
 * bracket.
 */
const quoted =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?{};\n]\s*)\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+\/[a-z]*/g;
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');

/**
 * Returns the text without comments, and the code with comments and quoted texts blanked out; all offsets stay the
 * same.
 */
function layersOf(text: string): { text: string; code: string } {
  return {
    text: text.replaceAll(quoted, (piece) => (/^\/[/*]/.test(piece) ? blank(piece) : piece)),
    code: text.replaceAll(quoted, (piece) => (/^['"`]/.test(piece) ? `'${blank(piece.slice(2))}'` : blank(piece))),
  };
}

/** How many characters before an offset are searched, at most. */
const statementMax = 400;
const wordMax = 60;

const before = (code: string, offset: number): string => code.slice(Math.max(0, offset - statementMax), offset);

const wordBefore = (code: string, offset: number): string =>
  /((?:\bnew )?[\w$.]+)(?:<[^<>()]*>)?\s*$/.exec(code.slice(Math.max(0, offset - wordMax), offset))?.[1] ?? '';

function bracketsOf(code: string): Bracket[] {
  const brackets: Bracket[] = [];
  const open: Bracket[] = [];
  let closed: Bracket | undefined;
  for (const { 0: sign, index } of code.matchAll(/[()[\]{}]/g)) {
    if ('([{'.includes(sign)) {
      // The block behind `while (…)` belongs to its keyword.
      const isBody = sign === '{' && closed !== undefined && /^\s*$/.test(code.slice(closed.end + 1, index));
      const bracket = { word: isBody ? closed!.word : wordBefore(code, index), start: index, end: -1 };
      brackets.push(bracket);
      open.push(bracket);
    } else {
      closed = open.pop();
      if (closed) closed.end = index;
    }
  }
  return brackets;
}

const waiting = /^(for|for await|await|while|do|expect\.poll|vi\.waitFor|vi\.waitUntil|until)$/;

/** True if an offset is within a loop or a poll: then the sleep is the pause between two checks. */
function isRepeated(code: string, brackets: readonly Bracket[], offset: number): boolean {
  const enclosing = brackets.filter(({ start, end }) => start < offset && offset < end);
  if (enclosing.some(({ word }) => waiting.test(word))) return true;
  // A loop whose body is one statement extends from its bracket to the end of the statement.
  const statement = offset - /[^;{}]*$/.exec(before(code, offset))![0].length;
  return brackets.some(({ word, end }) => /^(for|while)$/.test(word) && statement <= end && end < offset);
}

const now = /\b(?:performance|Date)\.now\(\)|\bhrtime\b/;
const elapsedName =
  /\b(?:ms|took|elapsed|duration|\w*(?:Ms|Took|Elapsed|Duration|DurationSeconds|TookSeconds|tookSeconds))\b/;
const upperBound = /^(?:toBeLessThan|toBeLessThanOrEqual|toBeCloseTo)$/;
const lowerBound = /^(?:toBeGreaterThan|toBeGreaterThanOrEqual)$/;

/**
 * Returns the names of variables that are initialised with a value of this pattern: `const took = performance.now() -
 * began`.
 */
const namesFor = (code: string, value: string): Set<string> =>
  new Set([...code.matchAll(new RegExp(String.raw`\b(\w+)\s*=\s*${value}`, 'g'))].map((match) => match[1]!));

const namesAny = (names: ReadonlySet<string>, expression: string): boolean =>
  [...expression.matchAll(/(?<![.\w])\w+/g)].some(([name]) => names.has(name));

function* elapsedTimes(code: string, brackets: readonly Bracket[]): Generator<number> {
  const differences = namesFor(code, String.raw`[^;=]*\b(?:performance|Date)\.now\(\)\s*-`);
  const processorTimes = namesFor(code, String.raw`(?:await\s+)?cpuMsOf\(`);
  const ends = new Map(brackets.map(({ start, end }) => [start, end]));
  for (const { word, start, end } of brackets) {
    if (word !== 'expect') continue;
    const following = code.slice(end + 1, end + 1 + statementMax);
    const { 0: matcher, 1: called = '' } = /^\s*(?:\.\w+)*\.(\w+)\(/.exec(following) ?? [''];
    const opened = end + matcher.length;
    const [value, bound] = [code.slice(start + 1, end), code.slice(opened + 1, ends.get(opened))];
    if (/\bpromised\(/.test(`${value} ${bound}`) || /\bcpuMsOf\(/.test(value) || namesAny(processorTimes, value))
      continue;
    const isElapsed = now.test(value) || elapsedName.test(value) || namesAny(differences, value);
    const isCompared = /[<>]/.test(value.replaceAll('=>', '')) && called === 'toBe';
    if (isElapsed && (upperBound.test(called) || isCompared)) yield start;
    else if (lowerBound.test(called) && now.test(bound)) yield start;
  }
}

const portLiteral = String.raw`(?!0\b)\d[\d_]*`;
/** Functions that listen on a port: `listen(2222)`, `bind(2222)`, and those that start a server. */
const listening =
  /(?:^|\.)(?:listen|bind)$|^(?:open|start|serve(?!r)|run|launch)\w*$|\b(?:open|start|serve)$|^new \w*(?:Server|Listener|Receiver|Agent|Device)$/;

function* fixedPorts(text: string, code: string, brackets: readonly Bracket[]): Generator<number> {
  const constants = namesFor(code, String.raw`${portLiteral}\s*[;,\n]`);
  for (const { word, start, end } of brackets) {
    const args = code.slice(start + 1, end);
    const first = /^\s*([\w]+)\s*(?:[,)]|$)/.exec(args)?.[1] ?? '';
    if (/\.(?:listen|bind)$/.test(word) && (/^[1-9]/.test(first) || constants.has(first))) yield start;
    else if (listening.test(word))
      for (const { 1: port, index } of args.matchAll(/\b(?:p|\w+P)ort:\s*(\w+)/g))
        if (/^[1-9]/.test(port!) || constants.has(port!)) {
          yield start + 1 + index;
          break;
        }
  }
  const portInText = String.raw`(?:127\.\d+\.\d+\.\d+|localhost|\[::1\]):${portLiteral}|\bPORTREEVE_\w*PORT['"]?\s*[:=]\s*['"]?${portLiteral}`;
  for (const { index } of text.matchAll(new RegExp(portInText, 'g'))) yield index;
}

function* sleeps(file: string, code: string, brackets: readonly Bracket[]): Generator<number> {
  for (const { word, start, end } of brackets) {
    const args = code.slice(start + 1, end);
    const isSleep = /^(?:sleep|delay)$/.test(word) && !/^\s*0?\s*$/.test(args);
    const isPromise =
      word === 'setTimeout' && /\bnew Promise(?:<\w+>)?\(\s*\(?\w+\)?\s*=>\s*$/.test(before(code, start - word.length));
    // A helper may stop a hanging process after a time; in a test, a timer stands in for a condition.
    const isTimer = word === 'setTimeout' && file.endsWith('.test.ts') && !/,\s*0\s*$/.test(args);
    const isDeclared = /\bfunction\s+$/.test(before(code, start - word.length));
    if ((isSleep || isPromise || isTimer) && !isDeclared && !isRepeated(code, brackets, start)) yield start;
  }
}

/** Returns all lines of one file that a busy machine can break. */
export function brokenByLoad(file: string, source: string): Finding[] {
  const { text, code } = layersOf(source);
  const brackets = bracketsOf(code);
  const lineStart = (offset: number): number => source.lastIndexOf('\n', offset - 1) + 1;
  const lineFrom = (offset: number): string => source.slice(offset).split('\n', 1)[0]!.trim();
  const findings: [Kind, Iterable<number>][] = [
    ['elapsed time', elapsedTimes(code, brackets)],
    ['fixed port', fixedPorts(text, code, brackets)],
    ['sleep', sleeps(file, code, brackets)],
  ];
  // Two equal lines are two findings: an exception covers one line only.
  return findings.flatMap(([kind, places]) =>
    [...new Set([...places].map(lineStart))].map((start): Finding => ({ kind, file, line: lineFrom(start) })),
  );
}
