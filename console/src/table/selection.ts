import { useEffect, useRef, useState } from 'react';
import type { NamedRecord, Subject } from '../action/subject.ts';

/** Maximum number of records in one request. */
export const selectedMax = 5_000;

/** The selected records by id. */
export interface Selection {
  records: ReadonlyMap<string, NamedRecord>;
  /** A click selects a row instead of opening it. */
  isByClick: boolean;
  setByClick(isByClick: boolean): void;
  toggle(record: NamedRecord): void;
  /** Adds records that were loaded for a filter, unless the filter has changed since. */
  add(asked: string, records: Subject): void;
  clear(): void;
}

/** Returns the selection; it is cleared when the filter changes. */
export function useSelection(question: string): Selection {
  const [records, setRecords] = useState<ReadonlyMap<string, NamedRecord>>(new Map());
  const [isByClick, setByClick] = useState(false);
  const clear = () => {
    setRecords(new Map());
    setByClick(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs only when the question changes
  useEffect(clear, [question]);
  const current = useRef(question);
  current.current = question;
  return {
    records,
    isByClick,
    setByClick,
    clear,
    toggle: (record) => setRecords((before) => toggleRecord(before, record)),
    add: (askedQuestion, addedRecords) => {
      if (askedQuestion === current.current) setRecords((before) => addRecords(before, addedRecords));
    },
  };
}

export function toggleRecord(before: ReadonlyMap<string, NamedRecord>, record: NamedRecord): Map<string, NamedRecord> {
  const after = new Map(before);
  if (!after.delete(record.id) && after.size < selectedMax) after.set(record.id, record);
  return after;
}

export const addRecords = (before: ReadonlyMap<string, NamedRecord>, addedRecords: Subject): Map<string, NamedRecord> =>
  new Map([...before, ...addedRecords.map((record) => [record.id, record] as const)].slice(0, selectedMax));
