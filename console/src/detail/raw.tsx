import type { RecordValue } from '../client/group-calls.ts';
import { curlFor } from '../document/command.ts';
import type { GroupInfo } from '../document/group.ts';
import { operationOf } from '../document/operations.ts';
import { jsonText } from '../document/value.ts';
import { text } from '../texts/text.ts';

/** As the service returned it, and how the same is read without a console. */
export function Raw({ group, record, id }: { group: GroupInfo; record: RecordValue; id: string }) {
  const command = operationOf(group, 'fetch') && curlFor(group, id, location.origin);
  return (
    <>
      {command && (
        <section className="section">
          <h3>{text.detail.elsewhere}</h3>
          <pre className="mono deep">
            {`portreeve ${group.name} get ${id}\n${command}\n${command.replace('curl', 'curl -H "Accept: application/xml"')}`}
          </pre>
        </section>
      )}
      <pre className="raw mono">{jsonText(record)}</pre>
    </>
  );
}
