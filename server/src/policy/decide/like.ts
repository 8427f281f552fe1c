/** Finds a piece of a pattern in a text from a position on. Returns the end of the piece, or -1. */
type Find = (text: string, start: number) => number;

/**
 * Compiles a piece with `?` to the Shift-And algorithm: all states advance with each character, 32 states to a word. The text is read
 * once for any piece.
 */
function findWithAny(piece: readonly string[]): Find {
  const words = Math.ceil(piece.length / 32);
  const any = new Uint32Array(words);
  const masks = new Map<string, Uint32Array>();
  piece.forEach((character, index) => {
    const bit = 1 << (index & 31);
    if (character === '?') any[index >>> 5]! |= bit;
    else {
      if (!masks.has(character)) masks.set(character, new Uint32Array(words));
      masks.get(character)![index >>> 5]! |= bit;
    }
  });
  for (const mask of masks.values()) for (let word = 0; word < words; word++) mask[word]! |= any[word]!;
  const last = words - 1;
  const accepted = 1 << ((piece.length - 1) & 31);
  return (text, start) => {
    const states = new Uint32Array(words);
    for (let position = start; position < text.length; ) {
      const character = String.fromCodePoint(text.codePointAt(position)!);
      position += character.length;
      const mask = masks.get(character) ?? any;
      let carry = 1;
      for (let word = 0; word < words; word++) {
        const state = states[word]!;
        states[word] = ((state << 1) | carry) & mask[word]!;
        carry = state >>> 31;
      }
      if (states[last]! & accepted) return position;
    }
    return -1;
  };
}

const surrogates = /[\ud800-\udfff]/;

/** True if the characters from `start` on match the piece. */
function equalsPiece(characters: readonly string[] | string, start: number, piece: readonly string[]): boolean {
  for (let index = 0; index < piece.length; index++)
    if (piece[index] !== '?' && piece[index] !== characters[start + index]) return false;
  return true;
}

/**
 * Compiles a pattern with `*` (any text) and `?` (any one character) to a test that ignores case. The pieces between stars are found one
 * after the other, each as early as possible, so nothing backtracks.
 */
export function compileLike(pattern: string): (text: string) => boolean {
  const pieces = pattern
    .toLowerCase()
    .split('*')
    .map((piece) => [...piece]);
  const head = pieces[0]!;
  if (pieces.length === 1)
    return (text) => {
      const characters = [...text.toLowerCase()];
      return characters.length === head.length && equalsPiece(characters, 0, head);
    };
  const tail = pieces.at(-1)!;
  const finds = pieces
    .slice(1, -1)
    .filter((piece) => piece.length > 0)
    .map((piece): Find => {
      if (piece.includes('?')) return findWithAny(piece);
      const plain = piece.join('');
      return (text, start) => {
        const index = text.indexOf(plain, start);
        return index < 0 ? -1 : index + plain.length;
      };
    });
  const betweenMatches = (between: string): boolean => {
    let position = 0;
    for (const find of finds) {
      position = find(between, position);
      if (position < 0) return false;
    }
    return true;
  };
  return (input) => {
    const text = input.toLowerCase();
    // Splits the text only if it has surrogate pairs: otherwise its code units are its characters.
    const characters = surrogates.test(text) ? [...text] : text;
    const end = characters.length - tail.length;
    if (end < head.length || !equalsPiece(characters, 0, head) || !equalsPiece(characters, end, tail)) return false;
    if (finds.length === 0) return true;
    const between = characters.slice(head.length, end);
    return betweenMatches(typeof between === 'string' ? between : between.join(''));
  };
}
