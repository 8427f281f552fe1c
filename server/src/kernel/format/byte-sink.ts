/** Bytes of a response in one buffer that grows. */
export class ByteSink {
  bytes: Buffer;
  at = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size);
  }

  /** Ensures that this many bytes still fit. */
  room(length: number): void {
    if (this.at + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe((this.at + length) * 2);
    this.bytes.copy(larger, 0, 0, this.at);
    this.bytes = larger;
  }

  add(piece: Buffer): void {
    this.room(piece.length);
    this.bytes.set(piece, this.at);
    this.at += piece.length;
  }

  text(text: string): void {
    this.room(text.length * 3);
    this.at += this.bytes.write(text, this.at, 'utf8');
  }

  written(): Buffer {
    return this.bytes.subarray(0, this.at);
  }
}

/** Returns a table with 1 for the bytes that `isIn` accepts, and 0 for all others. */
export const byteTable = (isIn: (byte: number) => boolean): Uint8Array =>
  Uint8Array.from({ length: 256 }, (_, byte) => (isIn(byte) ? 1 : 0));
