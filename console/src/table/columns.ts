import type { ReactNode } from 'react';
import type { RecordValue } from '../client/group-calls.ts';
import type { FieldInfo, GroupInfo } from '../document/group.ts';

/** A column of a list, in pixels. */
export interface Column {
  field: FieldInfo;
  width: number;
  isNumber: boolean;
  /** Renders the cell if it shows more than the field value. */
  render?(record: RecordValue): ReactNode;
}

/** A hook that returns the columns of a resource for the visible pages. */
export type UseColumns = (group: GroupInfo, pages: readonly (readonly RecordValue[])[]) => Column[];

const nameWidth = 212;
const textWidth = 160;
const letter = 7;
const padding = 24;

/** Returns the columns of a resource: the label first, without the id, which is in the link. */
export function columnsOf({ fields, columns, label, identity }: GroupInfo): Column[] {
  const shownNames = columns.filter((name) => name !== identity || name === label);
  const ordered = label !== null && !shownNames.includes(label) ? [label, ...shownNames] : shownNames;
  return ordered.flatMap((name) => {
    const field = fields.find((candidate) => candidate.name === name);
    return field ? [{ field, width: name === label ? nameWidth : widthOf(field), isNumber: isNumber(field) }] : [];
  });
}

const isNumber = ({ kind, words, reference }: FieldInfo): boolean =>
  (kind === 'integer' || kind === 'decimal') && !words && !reference;

const widths: Readonly<Record<string, number>> = {
  mac: 144,
  address: 120,
  network: 144,
  time: 104,
  flag: 80,
  integer: 88,
};

/** Returns the width of a column: of its longest value if the values are known. */
function widthOf(field: FieldInfo): number {
  const words = [field.label, ...(field.words ?? field.choices ?? [])];
  const longest = Math.max(...words.map((word) => word.length)) * letter + padding;
  const ofKind = field.words || field.choices ? longest : (widths[field.kind] ?? textWidth);
  return Math.max(ofKind, field.label.length * letter + padding);
}
