/** An answer that grows: bytes in one piece, copied by hand, because most pieces are shorter than a call into native code is worth. */
export class ByteSink {
  bytes: Buffer;
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  /** Makes sure that so many bytes still fit. */
  room(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.at + length) * 2);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  /** Copies a piece for which there is room. */
  copy(from: Buffer, start: number, length: number): void {
    const { bytes } = this;
    let to = this.at;
    for (let at = start; at < start + length; at++) bytes[to++] = from[at]!;
    this.at = to;
  }

  /** Copies a piece, and makes room for it first. */
  add(piece: Buffer): void {
    this.room(piece.length);
    this.copy(piece, 0, piece.length);
  }

  /** Copies as long as each byte is one of the table's, for which there is room; answers how many those were. */
  copyWhile(from: Buffer, start: number, length: number, table: Uint8Array): number {
    const { bytes } = this;
    const end = start + length;
    let to = this.at;
    let at = start;
    for (; at < end; at++) {
      const byte = from[at]!;
      if (table[byte] === 0) break;
      bytes[to++] = byte;
    }
    this.at = to;
    return at - start;
  }

  text(text: string): void {
    this.room(text.length * 3);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }
}

/** A table for `copyWhile`. */
export const byteTable = (isIn: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));
