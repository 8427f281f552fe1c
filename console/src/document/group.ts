import type { OperationInfo } from '@portreeve/sdk/runtime.ts';

/** The group that a field names a record of, and by which field of that. */
export interface Reference {
  group: string;
  by: string;
  /** Only records with these values. */
  where?: Readonly<Record<string, string>>;
}

/** The field that a reference goes by in its group; what is called id is the identity, whatever its name. */
export const referenceKey = ({ by: keyField }: Reference, identity: string | null): string =>
  keyField === 'id' ? (identity ?? keyField) : keyField;

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
  reference?: Reference;
  filter?: boolean;
  sort?: boolean;
  search?: boolean;
  detailOnly?: boolean;
  required?: boolean;
  unit?: string;
  section?: string;
}

const deepKinds: ReadonlySet<string> = new Set(['object', 'map', 'json']);

/** Values of the kind have parts: they fit into no cell, and into no line of a form. */
export const isDeepKind = (kind: string): boolean => deepKinds.has(kind);

/** A value that somebody enters: a field of a body, or a parameter. */
export interface InputField
  extends Pick<
    FieldInfo,
    'name' | 'label' | 'kind' | 'doc' | 'nullable' | 'choices' | 'words' | 'reference' | 'required' | 'unit' | 'section'
  > {
  /** Taken by the service when nothing is sent. */
  default?: unknown;
  isSecret?: boolean;
  /** Set once, when the record is created. */
  isImmutable?: boolean;
  /** Kind of the values of a list. */
  items?: string;
  /** It is a list of texts where another part of its value has one of these values. */
  listWith?: { property: string; values: readonly string[] };
  lengthMax?: number;
  min?: number;
  max?: number;
  /** How a value that has parts may look. */
  example?: unknown;
  /** What an object, or each object of a list, is entered by; absent: as text. */
  parts?: InputField[];
  /** The only keys of a map, each with marks that its `parts` name. */
  keys?: string[];
  /** The object says when in a week. */
  isSchedule?: true;
  /** Where a parameter stands; absent for a field of the body. */
  in?: 'path' | 'query';
}

export interface GroupOperation extends OperationInfo {
  /** What kind of operation it is: `list`, `fetch`, `create` …; absent for one that is particular to its group. */
  pattern?: string;
  /** It calls a system outside. */
  external?: boolean;
  /** A write may be bound to the version of the record that was read. */
  takesVersion?: boolean;
  /** Fields of the body. */
  fields?: InputField[];
  /** The body is a list, which the one field has. */
  bodyIsList?: boolean;
  parameters?: InputField[];
  /** The body is a file of one of these types. */
  fileTypes?: string[];
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
  /** What the audit log calls its records. */
  table: string;
  /** The feed reports its changes. */
  isFollowed: boolean;
  sections: string[];
  columns: string[];
  fields: FieldInfo[];
  operations: GroupOperation[];
}

/** A group before its file is loaded. */
export interface GroupEntry extends Pick<GroupInfo, 'name' | 'title' | 'page' | 'kind' | 'identity'> {
  /** There is a list, or one record of settings. */
  isListed: boolean;
  /** Somebody may add a record. */
  canCreate: boolean;
  load(): Promise<{ group: GroupInfo }>;
}
