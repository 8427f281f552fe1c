import { crc32 } from 'node:zlib';

const signature = Buffer.from('89504e470d0a1a0a', 'hex');
const pixelsMax = 1_024;

/** Bit depths of each colour type (PNG, 11.2.1). */
const depths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Calls `refuse` with the end of a sentence if the bytes are not a valid PNG. */
export function checkPng(bytes: Buffer, refuse: (what: string) => never): void {
  if (!bytes.subarray(0, 8).equals(signature)) refuse('is not a PNG file');
  const readChunks = new Set<string>();
  for (let offset = 8; !readChunks.has('IEND'); ) {
    if (offset + 12 > bytes.length) refuse('is truncated');
    const length = bytes.readUInt32BE(offset);
    const end = offset + 12 + length;
    if (end > bytes.length) refuse('is truncated');
    const type = bytes.toString('latin1', offset + 4, offset + 8);
    if (!/^[A-Za-z]{4}$/.test(type)) refuse('has a chunk with an invalid name');
    if (crc32(bytes.subarray(offset + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
      refuse(`has a damaged chunk ${type}`);
    if ((readChunks.size === 0) !== (type === 'IHDR')) refuse('must have exactly one IHDR chunk, as the first');
    if (type === 'IHDR') checkHeader(bytes.subarray(offset + 8, end - 4), refuse);
    readChunks.add(type);
    offset = end;
    if (type === 'IEND' && (length > 0 || offset < bytes.length)) refuse('has data after its end');
  }
  if (!readChunks.has('IDAT')) refuse('contains no image data');
}

function checkHeader(header: Buffer, refuse: (what: string) => never): void {
  if (header.length !== 13) refuse('has an IHDR chunk of the wrong length');
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  if (width < 1 || height < 1 || width > pixelsMax || height > pixelsMax)
    refuse(`is ${width} × ${height} pixels large; at most ${pixelsMax} × ${pixelsMax} are allowed`);
  const [depth, colour, compression, filter, interlace] = header.subarray(8);
  if (!depths[colour!]?.includes(depth!) || compression !== 0 || filter !== 0 || interlace! > 1)
    refuse('has an invalid PNG header');
}
