import type { EngineAttribute, PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { isTestAddress } from '../engine-files/engine-files.ts';
import type { Cause } from '../radius-response/radius-response.ts';

/** What the node thought of a request that somebody sent for a test. */
export interface TestNote {
  cause: Cause;
  message: string;
  tookMs: number;
}

const notePrefix = 'portreeve-test ';

/** The attribute of a test that names the access device: no device sends it, and policies do not get it. */
export const markAttribute = 'Proxy-State';

export const markOf = (deviceID: number): string => `${notePrefix}${deviceID}`;

/** The access device that a test is decided for; undefined: it is no test. */
export function testedDevice(source: string, attributes: PacketAttributes): number | undefined {
  if (!isTestAddress(source)) return undefined;
  const [hex = ''] = attributes.get(markAttribute) ?? [];
  const mark = Buffer.from(hex.replace(/^0x/, ''), 'hex').toString();
  return mark.startsWith(notePrefix) ? Number(mark.slice(notePrefix.length)) : Number.NaN;
}

/** Octets that one attribute holds, without the mark. */
const chunkMax = 230;

/** The note as part of the reply, in letters that nothing on its way takes for a command. */
export function writeNote(note: TestNote): EngineAttribute {
  const text = Buffer.from(JSON.stringify(note)).toString('base64url');
  const chunks = text.match(new RegExp(`.{1,${chunkMax}}`, 'g'))!;
  return { list: 'reply', attribute: 'Reply-Message', values: chunks.map((chunk) => `${notePrefix}${chunk}`) };
}

/** Takes the note out of what came back. */
export function readNote<A extends { name: string; value: string }>(attributes: readonly A[]) {
  const isPart = ({ name, value }: A) => name === 'Reply-Message' && value.startsWith(notePrefix);
  const parts = attributes.filter(isPart).map(({ value }) => value.slice(notePrefix.length));
  const note = parts.length > 0 ? (JSON.parse(Buffer.from(parts.join(''), 'base64url').toString()) as TestNote) : null;
  return { note, attributes: attributes.filter((attribute) => !isPart(attribute)) };
}
