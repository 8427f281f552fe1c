/** An error in a CSV file, with the reason. */
export class CsvFault extends Error {
  override readonly name = 'CsvFault';
}

export interface CsvRow {
  /** The line in which it begins, from 1. */
  line: number;
  cells: string[];
}

const rowCharactersMax = 1_048_576;

/**
 * Reads CSV as in RFC 4180: quoted cells may contain commas, line ends and doubled quotes. A byte order mark and empty
 * lines are skipped. Text after a closing quote, or a quote inside an unquoted cell, is an error.
 */
export async function* readCsv(
  chunks: AsyncIterable<Buffer | string> | Iterable<Buffer | string>,
): AsyncGenerator<CsvRow> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = new CsvReader();
  try {
    for await (const chunk of chunks)
      yield* reader.read(typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true }));
    yield* reader.read(decoder.decode());
  } catch (error) {
    if (error instanceof TypeError) throw new CsvFault('The file is not UTF-8.');
    throw error;
  }
  yield* reader.end();
}

class CsvReader {
  #state: 'start' | 'plain' | 'quoted' | 'closed' = 'start';
  #cells: string[] = [];
  #cell = '';
  #line = 1;
  #began = 1;
  #characters = 0;
  #isAfterReturn = false;

  *read(text: string): Generator<CsvRow> {
    for (const sign of text) {
      if (this.#isAfterReturn && sign === '\n') {
        this.#isAfterReturn = false;
        continue;
      }
      this.#isAfterReturn = false;
      if (++this.#characters > rowCharactersMax) throw new CsvFault(`Line ${this.#began} is too long.`);
      const isEnd = sign === '\n' || sign === '\r';
      if (isEnd) this.#line++;
      if (isEnd && this.#state !== 'quoted') {
        this.#isAfterReturn = sign === '\r';
        yield* this.#row();
      } else this.#take(sign);
    }
  }

  *end(): Generator<CsvRow> {
    if (this.#state === 'quoted') throw new CsvFault(`The quotes opened in line ${this.#began} are never closed.`);
    yield* this.#row();
  }

  #take(sign: string): void {
    if (this.#state === 'quoted') {
      if (sign === '"') this.#state = 'closed';
      else this.#cell += sign;
    } else if (sign === ',') {
      this.#cells.push(this.#cell);
      this.#cell = '';
      this.#state = 'start';
    } else if (this.#state === 'closed') {
      if (sign !== '"') throw new CsvFault(`Line ${this.#began}: there is text after closing quotes.`);
      this.#cell += sign;
      this.#state = 'quoted';
    } else if (sign === '"') {
      if (this.#state === 'plain') throw new CsvFault(`Line ${this.#began}: there are quotes inside an unquoted cell.`);
      this.#state = 'quoted';
    } else {
      this.#cell += sign;
      this.#state = 'plain';
    }
  }

  *#row(): Generator<CsvRow> {
    const isEmpty = this.#cells.length === 0 && this.#cell === '' && this.#state === 'start';
    if (!isEmpty) yield { line: this.#began, cells: [...this.#cells, this.#cell] };
    this.#cells = [];
    this.#cell = '';
    this.#state = 'start';
    this.#characters = 0;
    this.#began = this.#line;
  }
}
