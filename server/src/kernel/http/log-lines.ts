/** Where lines go in the end. */
interface Out {
  write(text: string): unknown;
}

/**
 * Writes the lines that are logged in one turn of the event loop with one call: at thousands of requests a second the calls cost more than the
 * lines. None waits for longer than that, and what is left is written when the process ends.
 */
export function gatheredLines(out: Out): { write(line: string): void } {
  let lines = '';
  const flush = () => {
    const text = lines;
    lines = '';
    if (text !== '') out.write(text);
  };
  process.once('exit', flush);
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}
