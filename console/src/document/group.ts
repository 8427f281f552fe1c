import type { OperationInfo } from '@portreeve/sdk/runtime.ts';

/** What the service says of a field: how it is shown, filtered, sorted and set. */
export interface FieldInfo {
  name: string;
  label: string;
  kind: string;
  access: 'write' | 'readOnly' | 'computed' | 'observed' | 'secret';
  doc: string;
  nullable: boolean;
  /** Values of a choice. */
  choices?: string[];
  /** What the numbers 0, 1, 2 … of the field mean. */
  words?: string[];
  /** The group that it names a record of, by which field of that. */
  reference?: { group: string; by: string; where?: string };
  filter?: boolean;
  sort?: boolean;
  search?: boolean;
  detailOnly?: boolean;
  required?: boolean;
  unit?: string;
  section?: string;
}

export interface GroupOperation extends OperationInfo {
  /** What kind of operation it is: `list`, `fetch`, `create` …; absent for one that is particular to its group. */
  pattern?: string;
  /** It calls a system outside. */
  external?: boolean;
}

/** A group of records, as far as pages need to know it. */
export interface GroupInfo {
  /** Such as `network-device`. */
  name: string;
  /** As people call it: `Network device`. */
  title: string;
  doc: string;
  kind: 'collection' | 'log' | 'settings';
  /** The page of the menu that it stands on. */
  page: string;
  /** The field that identifies a record; null: there is one record only. */
  identity: string | null;
  /** The field that names a record for people. */
  label: string | null;
  ranked: boolean;
  sections: string[];
  columns: string[];
  fields: FieldInfo[];
  operations: GroupOperation[];
}

/** A group before its file is loaded. */
export interface GroupEntry extends Pick<GroupInfo, 'name' | 'title' | 'page' | 'kind'> {
  /** There is something to show: a list, or one record of settings. */
  isShown: boolean;
  load(): Promise<{ group: GroupInfo }>;
}
