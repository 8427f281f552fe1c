/** The destination of the lines. */
interface Out {
  write(text: string): unknown;
}

/**
 * Writes all lines that are logged in one turn of the event loop with one call: at thousands of requests a second, the
 * calls cost more than the lines. No line waits for longer than that turn, and the remaining ones are written when the
 * process exits.
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
