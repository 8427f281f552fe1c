import { reasonMax } from '../declare/audit-entry.ts';
import { invalid } from '../failure.ts';
import { codePoint, faultInText } from '../format/text.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of an X-Reason header, the reason for a write in the audit log; null if it is empty. */
export function readReason(header: string | undefined): string | null {
  const text = header === undefined ? '' : decoded(header).trim();
  if (text === '') return null;
  const control = /\p{Cc}/u.exec(text);
  const forbidden = control ? `the control character ${codePoint(control[0].codePointAt(0)!)}` : faultInText(text);
  if (forbidden) throw invalid(`X-Reason: contains ${forbidden}, which is not allowed; send one line of text.`);
  if (text.length > reasonMax)
    throw invalid(`X-Reason: has ${text.length} characters; at most ${reasonMax} are allowed.`);
  return text;
}

/** Node reads each byte of a header as one character; clients send UTF-8. */
function decoded(header: string): string {
  try {
    return utf8.decode(Buffer.from(header, 'latin1'));
  } catch {
    throw invalid('X-Reason: not valid UTF-8.');
  }
}
