const inputMax = 4_096;

/** Random numbers with a seed. */
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

const spliced = (input: Buffer, position: number, removed: number, put: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, position), put, input.subarray(Math.min(input.length, position + removed))]);

/** Makes one of several small changes. */
function changed(input: Buffer, otherInputs: readonly Buffer[], words: readonly Buffer[], draw: Draw): Buffer {
  const position = draw(input.length + 1);
  switch (draw(7)) {
    case 0:
      return spliced(input, position, 1, Buffer.of(draw(256)));
    case 1:
      return spliced(input, position, 1, Buffer.of((input[position] ?? 0) ^ (1 << draw(8))));
    case 2:
      return spliced(input, position, 1 + draw(8), Buffer.alloc(0));
    case 3:
    case 4:
      return spliced(input, position, draw(3), words[draw(words.length)]!);
    case 5: {
      const start = draw(input.length + 1);
      return spliced(input, position, 0, input.subarray(start, start + 1 + draw(32)));
    }
    default: {
      const otherInput = otherInputs[draw(otherInputs.length)]!;
      return spliced(input, position, input.length, otherInput.subarray(draw(otherInput.length + 1)));
    }
  }
}

/** Mutates an input of the corpus. */
export function mutated(corpus: readonly Buffer[], words: readonly Buffer[], draw: Draw): Buffer {
  let input = corpus[draw(corpus.length)]!;
  for (let changes = 1 + draw(4); changes > 0; changes--) input = changed(input, corpus, words, draw);
  return input.subarray(0, inputMax);
}
