import type { OperationInfo } from '@portreeve/sdk/runtime.ts';

/** The resource that a field refers to, and the field of that resource whose value it contains. */
export interface Reference {
  group: string;
  by: string;
  /** Only records with these values. */
  where?: Readonly<Record<string, string>>;
}

/** Returns the field of the referenced resource that a reference uses; `id` stands for the identity field, whatever its name. */
export const referenceKey = ({ by: keyField }: Reference, identity: string | null): string =>
  keyField === 'id' ? (identity ?? keyField) : keyField;

/** A field as the OpenAPI document describes it. */
export interface FieldInfo {
  name: string;
  label: string;
  kind: string;
  access: 'write' | 'readOnly' | 'computed' | 'observed' | 'secret';
  doc: string;
  nullable: boolean;
  /** Allowed values of a choice. */
  choices?: string[];
  /** Meanings of the numbers 0, 1, 2 … of the field. */
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

/** Returns whether values of the kind are structured: they do not fit into a table cell or a single-line input. */
export const isDeepKind = (kind: string): boolean => deepKinds.has(kind);

/** An input of a form: a field of the body, or a parameter. */
export interface InputField
  extends Pick<
    FieldInfo,
    'name' | 'label' | 'kind' | 'doc' | 'nullable' | 'choices' | 'words' | 'reference' | 'required' | 'unit' | 'section'
  > {
  /** Used by the service if the field is not sent. */
  default?: unknown;
  isSecret?: boolean;
  /** Can be set only when the record is created. */
  isImmutable?: boolean;
  /** Kind of the list entries. */
  items?: string;
  /** The value is a list of texts if another property has one of these values. */
  listWith?: { property: string; values: readonly string[] };
  lengthMax?: number;
  min?: number;
  max?: number;
  /** Example of a structured value. */
  example?: unknown;
  /** Inputs of an object, or of each object of a list; absent if it is entered as JSON. */
  parts?: InputField[];
  /** All keys of a map, each with the checkboxes in `parts`. */
  keys?: string[];
  /** The object is a weekly schedule. */
  isSchedule?: true;
  /** Location of a parameter; absent for a field of the body. */
  in?: 'path' | 'query';
}

export interface GroupOperation extends OperationInfo {
  /** The pattern of the operation: `list`, `fetch`, `create` …; absent for other actions. */
  pattern?: string;
  /** The operation contacts another system. */
  external?: boolean;
  /** Accepts `If-Match` with the version of the record. */
  takesVersion?: boolean;
  /** Fields of the body. */
  fields?: InputField[];
  /** The body is a list, entered in one field. */
  bodyIsList?: boolean;
  parameters?: InputField[];
  /** The body is a file of one of these types. */
  fileTypes?: string[];
}

/** A resource of the API, as the pages of the console need it. */
export interface GroupInfo {
  /** Such as `network-device`. */
  name: string;
  /** Shown name, such as `Network device`. */
  title: string;
  doc: string;
  kind: 'collection' | 'log' | 'settings';
  /** The menu page that shows it. */
  page: string;
  /** The field with the id of a record; null if there is only one record. */
  identity: string | null;
  /** The field with the name of a record. */
  label: string | null;
  ranked: boolean;
  /** The table name in audit rows. */
  table: string;
  /** The change feed reports its changes. */
  isFollowed: boolean;
  sections: string[];
  columns: string[];
  fields: FieldInfo[];
  operations: GroupOperation[];
}

/** A resource before its chunk is loaded. */
export interface GroupEntry extends Pick<GroupInfo, 'name' | 'title' | 'page' | 'kind' | 'identity'> {
  /** Has a list, or is a settings resource. */
  isListed: boolean;
  /** Has an operation that creates records. */
  canCreate: boolean;
  load(): Promise<{ group: GroupInfo }>;
}
