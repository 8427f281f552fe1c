import { outlineOf, type Part } from './outline.ts';

/** A structured value as nested lists. */
export function DeepValue({ value }: { value: object }) {
  const parts = outlineOf(value);
  return parts.length === 0 ? <span className="quiet">–</span> : <Parts parts={parts} />;
}

const Parts = ({ parts }: { parts: readonly Part[] }) => (
  <ul className="outline">
    {parts.map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: entries have no state and no identity other than their index
      <li key={index}>
        <span className="quiet">{part.label}</span> {part.text}
        {part.parts.length > 0 && <Parts parts={part.parts} />}
      </li>
    ))}
  </ul>
);
