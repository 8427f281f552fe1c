import type { RecordValue } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { operationOf, pathParameter } from '../document/operations.ts';
import { jsonText } from '../document/value.ts';
import { text } from '../texts/text.ts';

/** As the service returned it, and how the same is read without a console. */
export function Raw({ group, record, id }: { group: GroupInfo; record: RecordValue; id: string }) {
  const fetch = operationOf(group, 'fetch');
  const path = fetch?.path.replace(`{${pathParameter(fetch)}}`, id);
  return (
    <>
      {path && (
        <section className="section">
          <h3>{text.detail.elsewhere}</h3>
          <pre className="mono deep">
            {`portreeve ${group.name} get ${id}\ncurl -H "Authorization: Bearer $PORTREEVE_TOKEN" ${location.origin}${path}\ncurl -H "Authorization: Bearer $PORTREEVE_TOKEN" -H "Accept: application/xml" ${location.origin}${path}`}
          </pre>
        </section>
      )}
      <pre className="raw mono">{jsonText(record)}</pre>
    </>
  );
}
