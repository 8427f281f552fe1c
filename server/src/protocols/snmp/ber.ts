import { type Oid, oidLengthMax, subIdentifierMax } from './oid.ts';

/** Thrown for data that is not valid SNMP. Any host can send such data, so it is never an internal error. */
export class BerError extends Error {
  override readonly name = 'BerError';
}

export const berTag = { integer: 0x02, octets: 0x04, null: 0x05, oid: 0x06, sequence: 0x30 } as const;

/** The largest payload of a UDP datagram over IPv4. */
export const datagramMax = 65_507;

// Encoding is synchronous, so one buffer is enough.
const scratch = Buffer.alloc(datagramMax + 1);

/**
 * Writes BER backwards, from the last byte to the first: the length of a value is known before its header is written.
 */
export class BerWriter {
  #at = scratch.length;

  /** The current position; pass it to `wrap` to enclose all values written after it. */
  get mark(): number {
    return this.#at;
  }

  byte(value: number): void {
    if (this.#at === 0) throw new BerError(`the message is longer than ${datagramMax} bytes`);
    this.#at -= 1;
    scratch[this.#at] = value;
  }

  bytes(value: Uint8Array): void {
    if (this.#at < value.length) throw new BerError(`the message is longer than ${datagramMax} bytes`);
    this.#at -= value.length;
    scratch.set(value, this.#at);
  }

  /** Writes tag and length before the values that were written since the mark. */
  wrap(tag: number, mark: number): void {
    const length = mark - this.#at;
    if (length < 0x80) this.byte(length);
    else if (length < 0x100) {
      this.byte(length);
      this.byte(0x81);
    } else {
      this.byte(length & 0xff);
      this.byte(length >> 8);
      this.byte(0x82);
    }
    this.byte(tag);
  }

  /** Writes a signed 32-bit number, or an unsigned one if the tag is unsigned, in the shortest two's complement. */
  integer(value: number, tag: number = berTag.integer): void {
    const mark = this.#at;
    let rest = value;
    do {
      this.byte(rest & 0xff);
      rest = Math.floor(rest / 256);
    } while (rest !== 0 && rest !== -1);
    const isHigh = scratch[this.#at]! >= 0x80;
    if (value >= 0 && isHigh) this.byte(0);
    if (value < 0 && !isHigh) this.byte(0xff);
    this.wrap(tag, mark);
  }

  counter64(value: bigint, tag: number): void {
    const mark = this.#at;
    let rest = value;
    do {
      this.byte(Number(rest & 0xffn));
      rest >>= 8n;
    } while (rest > 0n);
    if (scratch[this.#at]! >= 0x80) this.byte(0);
    this.wrap(tag, mark);
  }

  octets(value: Uint8Array, tag: number = berTag.octets): void {
    const mark = this.#at;
    this.bytes(value);
    this.wrap(tag, mark);
  }

  empty(tag: number): void {
    this.wrap(tag, this.#at);
  }

  oid(value: Oid): void {
    const mark = this.#at;
    for (let index = value.length - 1; index >= 2; index -= 1) this.#subIdentifier(value[index]!);
    this.#subIdentifier((value[0] ?? 0) * 40 + (value[1] ?? 0));
    this.wrap(berTag.oid, mark);
  }

  #subIdentifier(value: number): void {
    this.byte(value & 0x7f);
    for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) this.byte((rest & 0x7f) | 0x80);
  }

  /** Returns a copy of the written bytes. */
  done(): Buffer {
    return Buffer.from(scratch.subarray(this.#at));
  }
}

/** Reads BER of untrusted origin: every length is checked against the available bytes. */
export class BerReader {
  readonly #bytes: Buffer;
  #at: number;
  readonly #end: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  /** Offset of the next byte in the buffer. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#end;
  }

  peek(): number {
    if (this.isAtEnd) throw new BerError('a value is missing at the end');
    return this.#bytes[this.#at]!;
  }

  /** Skips tag and length, and returns the length. */
  #open(tag: number): number {
    if (this.peek() !== tag) throw new BerError(`tag ${tag} is expected, ${this.peek()} was found`);
    this.#at += 1;
    const first = this.#byte();
    let length = first;
    if (first >= 0x80) {
      const count = first & 0x7f;
      // RFC 3417 section 8 requires the definite form; more than four length bytes exceed any datagram.
      if (count === 0 || count > 4) throw new BerError(`a length of ${count} bytes is not understood`);
      length = 0;
      for (let index = 0; index < count; index += 1) length = length * 256 + this.#byte();
    }
    if (length > this.#end - this.#at) throw new BerError('a value is longer than the message');
    return length;
  }

  #byte(): number {
    if (this.isAtEnd) throw new BerError('the message ends in the middle of a value');
    const value = this.#bytes[this.#at]!;
    this.#at += 1;
    return value;
  }

  /** Returns a reader for the contents; this reader continues after them. */
  enter(tag: number = berTag.sequence): BerReader {
    const length = this.#open(tag);
    const inner = new BerReader(this.#bytes, this.#at, this.#at + length);
    this.#at += length;
    return inner;
  }

  octets(tag: number = berTag.octets): Buffer {
    const length = this.#open(tag);
    const value = this.#bytes.subarray(this.#at, this.#at + length);
    this.#at += length;
    return value;
  }

  /** Returns the next value with its tag and length. */
  raw(tag: number): Buffer {
    const start = this.#at;
    const length = this.#open(tag);
    this.#at += length;
    return this.#bytes.subarray(start, this.#at);
  }

  integer(tag: number = berTag.integer): number {
    const length = this.#open(tag);
    if (length === 0 || length > 8) throw new BerError(`an integer of ${length} bytes is not understood`);
    let value = this.#bytes[this.#at]! >= 0x80 ? -1 : 0;
    for (let index = 0; index < length; index += 1) value = value * 256 + this.#byte();
    if (value > subIdentifierMax || value < -0x8000_0000) throw new BerError('an integer has more than 32 bits');
    return value;
  }

  /** Some agents omit the leading zero of an unsigned number: it is read as unsigned. */
  unsigned(tag: number): number {
    return this.integer(tag) >>> 0;
  }

  counter64(tag: number): bigint {
    const length = this.#open(tag);
    if (length === 0 || length > 9) throw new BerError(`a Counter64 of ${length} bytes is not understood`);
    let value = 0n;
    for (let index = 0; index < length; index += 1) value = (value << 8n) | BigInt(this.#byte());
    return BigInt.asUintN(64, value);
  }

  skip(tag: number): void {
    this.#at += this.#open(tag);
  }

  oid(): Oid {
    const length = this.#open(berTag.oid);
    const end = this.#at + length;
    const parts: number[] = [];
    while (this.#at < end) {
      let value = 0;
      let byte: number;
      do {
        if (this.#at >= end) throw new BerError('an object identifier ends in the middle of a number');
        byte = this.#bytes[this.#at]!;
        this.#at += 1;
        value = value * 128 + (byte & 0x7f);
        if (value > subIdentifierMax) throw new BerError('an object identifier has a number of more than 32 bits');
      } while (byte >= 0x80);
      if (parts.length === 0) {
        const first = Math.min(Math.floor(value / 40), 2);
        parts.push(first, value - first * 40);
      } else parts.push(value);
      if (parts.length > oidLengthMax) throw new BerError(`an object identifier has more than ${oidLengthMax} numbers`);
    }
    // Some agents encode the null identifier 0.0 with no bytes.
    return parts.length === 0 ? [0, 0] : parts;
  }
}
