/** The parts of an OpenAPI document that the reviewed texts are made from. */
export interface ApiDocument {
  tags: readonly ApiTag[];
  paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>;
  components: {
    schemas: Readonly<Record<string, ApiSchema>>;
    parameters: Readonly<Record<string, ApiParameter>>;
  };
}

/** A heading of the document, and the groups of the contract below it. */
export interface ApiTag {
  name: string;
  'x-group'?: ApiGroup;
  'x-more-groups'?: readonly ApiGroup[];
}

export interface ApiGroup {
  name: string;
  /** Name of the component that is a stored record of the group. */
  record: string;
}

export interface ApiOperation {
  operationId: string;
  tags: readonly string[];
  parameters: readonly (ApiParameter | { $ref: string })[];
  requestBody?: { required?: boolean; content: ApiContent };
  responses: Readonly<Record<string, { $ref?: string; content?: ApiContent }>>;
  'x-permission'?: { key: string; verb: string };
  'x-access'?: string;
  'x-status-words': readonly string[];
}

export interface ApiParameter {
  name: string;
  in: string;
  required?: boolean;
  schema: ApiSchema;
}

export type ApiContent = Readonly<Record<string, { schema?: ApiSchema }>>;

export interface ApiSchema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  format?: string;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
  items?: ApiSchema;
  properties?: Readonly<Record<string, ApiSchema>>;
  patternProperties?: Readonly<Record<string, ApiSchema>>;
  propertyNames?: { enum?: readonly string[] };
  additionalProperties?: boolean | ApiSchema;
  required?: readonly string[];
  oneOf?: readonly ApiSchema[];
  anyOf?: readonly ApiSchema[];
  xml?: { name?: string };
  'x-words'?: readonly string[];
  'x-bytes-max'?: number;
  'x-field'?: ApiField;
}

/** What the document states about a field of a record, besides its schema. */
interface ApiField {
  access: 'write' | 'readOnly' | 'computed' | 'observed' | 'secret';
  default?: unknown;
  required?: boolean;
  immutable?: boolean;
  filter?: boolean;
  sort?: boolean;
  search?: boolean;
  reference?: { group: string; by: string };
}

/** Returns the name at the end of a reference. */
export const referencedName = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1);
