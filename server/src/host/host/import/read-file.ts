import { CsvFault, readCsv } from '../../../context.ts';
import { invalid } from '../../../kernel/failure.ts';
import { LoopShare } from '../../../kernel/values/loop-share.ts';
import type { ImportedHost } from './columns.ts';
import { faultOfNames, readLine } from './read-line.ts';

/** One line of a file: a host or a fault. */
export interface StagedLine {
  line: number;
  host: ImportedHost | null;
  fault: string | null;
}

const linesMax = 1_000_000;
const lineBytesMax = 65_536;

/** Reads JSON lines if the file starts with a brace, otherwise CSV with a header. Throws if the file as a whole is invalid. */
export async function* readFile(chunks: AsyncIterable<Buffer>): AsyncGenerator<StagedLine> {
  const { first, all } = await firstCharacter(chunks);
  let count = 0;
  const share = new LoopShare();
  try {
    for await (const staged of first === '{' ? jsonLines(all) : csvLines(all)) {
      if (++count > linesMax) throw invalid(`The file has more than ${linesMax} lines; split it.`);
      yield staged;
      if (share.isUsedUp()) await share.pause();
    }
  } catch (error) {
    if (error instanceof CsvFault) throw invalid(error.message);
    throw error;
  }
  if (count === 0) throw invalid('The file is empty.');
}

/** Returns the first character that is not white space, and all chunks, including those already read. */
async function firstCharacter(chunks: AsyncIterable<Buffer>): Promise<{ first: string; all: AsyncIterable<Buffer> }> {
  const rest = chunks[Symbol.asyncIterator]();
  const readChunks: Buffer[] = [];
  let first = '';
  for (let chunk = await rest.next(); !chunk.done; chunk = await rest.next()) {
    readChunks.push(chunk.value);
    first = chunk.value
      .toString('utf8')
      .replace(/^\uFEFF/, '')
      .trimStart()
      .charAt(0);
    if (first !== '') break;
  }
  return {
    first,
    all: (async function* () {
      yield* readChunks;
      yield* { [Symbol.asyncIterator]: () => rest };
    })(),
  };
}

async function* csvLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<StagedLine> {
  let names: string[] | undefined;
  for await (const { line, cells } of readCsv(chunks)) {
    if (!names) {
      names = cells.map((cell) => cell.trim());
      const fault = faultOfNames(names);
      if (fault) throw invalid(fault);
      continue;
    }
    if (cells.length !== names.length) {
      yield { line, host: null, fault: `It has ${cells.length} cells, but the header has ${names.length}.` };
      continue;
    }
    yield stagedLine(line, Object.fromEntries(names.map((name, index) => [name, cells[index]])));
  }
}

async function* jsonLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<StagedLine> {
  let line = 0;
  for await (const text of linesOf(chunks)) {
    line++;
    if (text.trim() === '') continue;
    const record = parsed(text);
    yield record ? stagedLine(line, record) : { line, host: null, fault: 'It is not a JSON object.' };
  }
}

/** Yields the lines of a file. Throws if the file is not UTF-8 or has a line that is too long. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rest = '';
  try {
    for await (const chunk of chunks) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
      rest = lines.pop()!;
      if (rest.length > lineBytesMax) throw invalid('The file has a line that is too long.');
      yield* lines;
    }
    rest += decoder.decode();
  } catch (error) {
    if (error instanceof TypeError) throw invalid('The file is not UTF-8.');
    throw error;
  }
  if (rest !== '') yield rest;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function stagedLine(line: number, cells: Readonly<Record<string, unknown>>): StagedLine {
  const result = readLine(cells);
  return 'host' in result ? { line, host: result.host, fault: null } : { line, host: null, fault: result.fault };
}
