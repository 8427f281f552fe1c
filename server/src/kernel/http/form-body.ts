import type { Call, FilePart } from '../declare/operation.ts';
import { type Fault, invalid } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Returns the call with its form as the body: each part becomes the field of that name. */
export async function withForm(call: Call): Promise<Call> {
  const { uploads, body: shape } = call.operation;
  if (!call.files || !uploads?.asBody || !shape) return call;
  const { files, ...rest } = call;
  const faults: Fault[] = [];
  const body = checkValue(shape, await fieldsOf(files), '', faults);
  if (faults.length > 0) throw invalid(faults);
  return { ...rest, body };
}

async function fieldsOf(files: AsyncIterable<FilePart>): Promise<Record<string, string>> {
  const fields = new Map<string, string>();
  for await (const { field, content } of files) {
    if (fields.has(field)) throw invalid([{ pointer: `/${field}`, message: `${field}: is in the form twice.` }]);
    fields.set(field, textOf(Buffer.concat(await Array.fromAsync(content))));
  }
  return Object.fromEntries(fields);
}

/** Returns the text of a file. A file that is not text becomes base64, as in JSON. */
function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return bytes.toString('base64');
  }
}
