import { invalid } from '../../kernel/failure.ts';
import { checkPng } from './png.ts';
import { cleanSvg } from './svg.ts';

const iconBytesMax = 65_536;
const dataUri = /^data:(image\/png|image\/svg\+xml)(?:;charset=([\w-]+))?(;base64)?,(.*)$/is;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/** An image, as it is served. */
export interface Icon {
  type: string;
  bytes: Buffer;
}

/** Returns the icon to store: the sent image without unsafe content, as a normalised data URI. */
export function cleanIcon(field: string, text: string): string {
  const refuse = (what: string): never => {
    throw invalid([{ pointer: `/${field}`, message: `${field}: the icon ${what}.` }]);
  };
  const match = dataUri.exec(text);
  if (!match) return refuse('is not a data URI of a PNG or SVG image');
  const [, mediaType, charset = 'utf-8', base64, body] = match as unknown as [
    string,
    string,
    string?,
    string?,
    string?,
  ];
  const type = mediaType.toLowerCase();
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset)) refuse('must be encoded in UTF-8');
  const bytes = base64 ? fromBase64(body!, refuse) : fromPercent(body!, refuse);
  refuseTooLarge(bytes, refuse);
  if (type === 'image/png') {
    checkPng(bytes, refuse);
    return uriOf({ type, bytes });
  }
  const clean = Buffer.from(cleanSvg(textOf(bytes, refuse), refuse));
  // The cleaned image may be larger, and must be accepted when it is sent back.
  refuseTooLarge(clean, refuse);
  return uriOf({ type, bytes: clean });
}

/** Returns the image in a stored data URI. */
export function iconOf(stored: string): Icon {
  const [, type, base64] = /^data:([^;,]+);base64,(.*)$/s.exec(stored)!;
  return { type: type!, bytes: Buffer.from(base64!, 'base64') };
}

const uriOf = ({ type, bytes }: Icon): string => `data:${type};base64,${bytes.toString('base64')}`;

function refuseTooLarge(bytes: Buffer, refuse: (what: string) => never): void {
  if (bytes.length > iconBytesMax) refuse(`has ${bytes.length} bytes; at most ${iconBytesMax} are allowed`);
}

function fromBase64(text: string, refuse: (what: string) => never): Buffer {
  const bytes = Buffer.from(text, 'base64');
  // Node skips characters that are not base64, so the text is compared with its encoded form.
  return bytes.toString('base64') === text ? bytes : refuse('is not valid base64');
}

function fromPercent(text: string, refuse: (what: string) => never): Buffer {
  try {
    return Buffer.from(decodeURIComponent(text));
  } catch {
    return refuse('is not properly percent-encoded');
  }
}

function textOf(bytes: Buffer, refuse: (what: string) => never): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return refuse('is not valid UTF-8');
  }
}
