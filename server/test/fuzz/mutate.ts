const inputMax = 4_096;

/** Numbers that repeat with their seed. */
export type Draw = (below: number) => number;

export function drawer(seed: number): Draw {
  let state = seed >>> 0 || 1;
  return (below) => {
    // xorshift32 (Marsaglia, 2003).
    state ^= state << 13;
    state >>>= 0;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state % below;
  };
}

const spliced = (input: Buffer, at: number, removed: number, put: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, at), put, input.subarray(Math.min(input.length, at + removed))]);

/** One of several small changes. */
function changed(input: Buffer, others: readonly Buffer[], words: readonly Buffer[], draw: Draw): Buffer {
  const at = draw(input.length + 1);
  switch (draw(7)) {
    case 0:
      return spliced(input, at, 1, Buffer.of(draw(256)));
    case 1:
      return spliced(input, at, 1, Buffer.of((input[at] ?? 0) ^ (1 << draw(8))));
    case 2:
      return spliced(input, at, 1 + draw(8), Buffer.alloc(0));
    case 3:
    case 4:
      return spliced(input, at, draw(3), words[draw(words.length)]!);
    case 5: {
      const from = draw(input.length + 1);
      return spliced(input, at, 0, input.subarray(from, from + 1 + draw(32)));
    }
    default: {
      const other = others[draw(others.length)]!;
      return spliced(input, at, input.length, other.subarray(draw(other.length + 1)));
    }
  }
}

/** An input made of known ones. */
export function mutated(known: readonly Buffer[], words: readonly Buffer[], draw: Draw): Buffer {
  let input = known[draw(known.length)]!;
  for (let changes = 1 + draw(4); changes > 0; changes--) input = changed(input, known, words, draw);
  return input.subarray(0, inputMax);
}
