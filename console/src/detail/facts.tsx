import type { RecordValue } from '../client/group-calls.ts';
import { DeepValue } from '../document/deep-value.tsx';
import type { FieldInfo, GroupInfo } from '../document/group.ts';
import { hasParts } from '../document/outline.ts';
import { shownValue } from '../document/value.ts';
import { ValueCell } from '../document/value-cell.tsx';
import { CopyButton } from '../parts/copy.tsx';
import { useNow } from '../parts/surroundings.ts';
import { text } from '../texts/text.ts';

/** The fields of a record by section; fields that users set come before those that the service observes or computes. */
export function Facts({
  group,
  record,
  heading: Heading,
}: {
  group: GroupInfo;
  record: RecordValue;
  /** The level below the heading above. */
  heading: 'h2' | 'h3';
}) {
  const nowMs = useNow();
  return sectionsOf(group).map(({ title, fields }) => (
    <section className="section" key={title}>
      <Heading>{title}</Heading>
      <dl className="facts">
        {fields.map((field) => {
          const value = record[field.name];
          const { whole: fullText } = shownValue(field, value, nowMs);
          return (
            <div key={field.name}>
              <dt title={field.doc}>{field.label}</dt>
              <dd>
                {hasParts(value) ? (
                  <DeepValue value={value} />
                ) : Array.isArray(value) && fullText !== undefined ? (
                  fullText
                ) : (
                  <>
                    <ValueCell field={field} value={value} nowMs={nowMs} />
                    {isCarried(group, field) && typeof value === 'string' && value !== '' && (
                      <CopyButton value={value} label={field.label} />
                    )}
                  </>
                )}
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  ));
}

/** Returns whether a field gets a copy button: addresses and names are often pasted into other tools. */
const isCarried = ({ label }: GroupInfo, { name, kind }: FieldInfo): boolean =>
  kind === 'mac' || kind === 'address' || name === label;

/** Returns the declared sections, then the remaining writable and read-only fields. */
function sectionsOf({ fields, sections }: GroupInfo): { title: string; fields: FieldInfo[] }[] {
  const shown = fields.filter(({ access }) => access !== 'secret');
  const namedSections = sections.map((title) => ({ title, fields: shown.filter(({ section }) => section === title) }));
  const rest = shown.filter(({ section }) => section === undefined || !sections.includes(section));
  const set = rest.filter(({ access }) => access === 'write');
  const readOnlyFields = rest.filter(({ access }) => access !== 'write');
  return [
    ...namedSections,
    { title: text.detail.settings, fields: set },
    { title: text.detail.status, fields: readOnlyFields },
  ].filter((section) => section.fields.length > 0);
}
