import type { RecordValue } from '../client/group-calls.ts';
import { curlFor } from '../document/command.ts';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import { jsonText } from '../document/value.ts';
import { text } from '../texts/text.ts';

/** The record as JSON, and the commands that read it from the command line and the API. */
export function Raw({ group, record, id }: { group: GroupInfo; record: RecordValue; id: string }) {
  const command = operationOf(group, 'fetch') && curlFor(group, id, location.origin);
  return (
    <>
      {command && (
        <section className="section">
          <h3>{text.detail.commands}</h3>
          <pre className="mono deep">
            {`portreeve ${group.name} get ${id}\n${command}\n${command.replace('curl', 'curl -H "Accept: application/xml"')}`}
          </pre>
        </section>
      )}
      <pre className="raw mono">{jsonText(record)}</pre>
    </>
  );
}
