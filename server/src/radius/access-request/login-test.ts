import type { EngineAttribute, PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { isTestAddress } from '../engine-files/engine-files.ts';
import type { Cause } from '../radius-response/radius-response.ts';

/** The cause and duration of the decision for a test login. */
export interface TestNote {
  cause: Cause;
  message: string;
  tookMs: number;
}

const notePrefix = 'portreeve-test ';

/** The attribute of a test that carries the id of the access device. */
export const markAttribute = 'Proxy-State';

export const markOf = (deviceID: number): string => `${notePrefix}${deviceID}`;

/** Returns the id of the access device that a test is decided for, NaN if the mark is invalid; undefined if the request is not a test. */
export function testedDevice(source: string, attributes: PacketAttributes): number | undefined {
  if (!isTestAddress(source)) return undefined;
  const [hex = ''] = attributes.get(markAttribute) ?? [];
  const mark = Buffer.from(hex.replace(/^0x/, ''), 'hex').toString();
  return mark.startsWith(notePrefix) ? Number(mark.slice(notePrefix.length)) : Number.NaN;
}

/** Octets per attribute, without the prefix. */
const chunkMax = 230;

/** Returns the note as attributes of the reply, in base64url, which the engine does not expand. */
export function writeNote(note: TestNote): EngineAttribute {
  const text = Buffer.from(JSON.stringify(note)).toString('base64url');
  const chunks = text.match(new RegExp(`.{1,${chunkMax}}`, 'g'))!;
  return { list: 'reply', attribute: 'Reply-Message', values: chunks.map((chunk) => `${notePrefix}${chunk}`) };
}

/** Extracts the note from the attributes of a reply. */
export function readNote<A extends { name: string; value: string }>(attributes: readonly A[]) {
  const isPart = ({ name, value }: A) => name === 'Reply-Message' && value.startsWith(notePrefix);
  const parts = attributes.filter(isPart).map(({ value }) => value.slice(notePrefix.length));
  const note = parts.length > 0 ? (JSON.parse(Buffer.from(parts.join(''), 'base64url').toString()) as TestNote) : null;
  return { note, attributes: attributes.filter((attribute) => !isPart(attribute)) };
}
