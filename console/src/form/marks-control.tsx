import type { InputField } from '../document/group.ts';
import { readableValue } from '../document/value.ts';

type Marks = Readonly<Record<string, unknown>>;

/** A map with the same checkboxes for each key, as a table. */
export function MarksControl({
  keys,
  marks,
  value,
  isDisabled,
  onValue,
}: {
  keys: readonly string[];
  marks: readonly InputField[];
  value: Readonly<Record<string, unknown>>;
  isDisabled: boolean;
  onValue(value: Readonly<Record<string, unknown>>): void;
}) {
  return (
    <table className="marks">
      <thead>
        <tr>
          <td />
          {marks.map(({ name, label, doc }) => (
            <th key={name} scope="col" title={doc}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => {
          const keyMarks = (value[key] ?? {}) as Marks;
          return (
            <tr key={key}>
              <th scope="row">{readableValue(key)}</th>
              {marks.map(({ name, label, default: absent }) => (
                <td key={name}>
                  <input
                    type="checkbox"
                    aria-label={`${readableValue(key)}: ${label}`}
                    checked={(Object.hasOwn(keyMarks, name) ? keyMarks[name] : absent) === true}
                    disabled={isDisabled}
                    onChange={(event) => onValue({ ...value, [key]: { ...keyMarks, [name]: event.target.checked } })}
                  />
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
