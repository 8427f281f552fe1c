/**
 * Shapes describe JSON and XML values as plain data. The same shape drives the check of a body, JSON, XML, OpenAPI, columns and filters,
 * so that they agree.
 */

import type { SecretBinding } from './secret-binding.ts';

interface Common {
  nullable?: boolean;
  /** One sentence for readers who do not know the field; shown in OpenAPI, the console and the CLI. */
  doc?: string;
  /** The sentence for the person who fills in the field in a form of the console, if `doc` is only right for the API; served as `x-help`. */
  help?: string;
  example?: unknown;
}

export interface TextShape extends Common {
  kind: 'text';
  min?: number;
  max: number;
  /** An anchored regular expression (never one from a caller), with its meaning in words. */
  pattern?: { source: string; words: string };
  /**
   * A secret inside a list or object: stored encrypted, returned as •••, and unchanged if that is sent back. A field that is a secret
   * itself uses `secret(…)`.
   */
  secret?: boolean;
  /** The fields of the record that decide where the service sends the secret; required for a secret inside a stored field. */
  binding?: SecretBinding;
}
export interface IntegerShape extends Common {
  kind: 'integer';
  min: number;
  max: number;
  /** The meaning of each value, starting with the smallest. */
  words?: readonly string[];
}
/** A number of the contract's type decimal. */
export interface DecimalShape extends Common {
  kind: 'decimal';
  min: number;
  max: number;
}
export interface FlagShape extends Common {
  kind: 'flag';
  /** The meaning of an absent flag in an object inside a field; applied by the resource. A field uses `default`. */
  absent?: boolean;
}
/** An instant, on the wire `2026-01-31T08:15:30.123Z`, or with `+0000` for Z. */
export interface TimeShape extends Common {
  kind: 'time';
  zone?: 'Z' | '+0000';
}
export interface ChoiceShape extends Common {
  kind: 'choice';
  values: readonly string[];
}
/** An IPv4 or IPv6 address. */
export interface AddressShape extends Common {
  kind: 'address';
}
/** A MAC address: accepted in any notation, written as `00:1A:2B:3C:4D:5E`; empty if there is none and null is not allowed. */
export interface MacShape extends Common {
  kind: 'mac';
}
/** An IPv4 or IPv6 network in CIDR notation. */
export interface NetworkShape extends Common {
  kind: 'network';
}
/** A text, number, flag or list of texts that a condition compares with. XML has only texts and lists; the resource interprets them. */
export interface MixedShape extends Common {
  kind: 'mixed';
  /** Maximum length of a text, also of each item in a list. */
  max: number;
  items: number;
  /** The value is a list if another property of its object has one of these values. */
  listWith?: { property: string; values: readonly string[] };
}
/** Any JSON value, stored for the client without interpretation. In XML it is one text with JSON. */
export interface JsonShape extends Common {
  kind: 'json';
  /** Maximum bytes of its shortest JSON text. */
  max: number;
}
export interface ObjectShape extends Common {
  kind: 'object';
  /** Name of the component in the OpenAPI document and of the type in the XML schema; unnamed objects are written inline. */
  name?: string;
  properties: Readonly<Record<string, Shape>>;
  /** Properties that a request must contain; responses always contain all properties. */
  required?: readonly string[];
  /** The properties that a table shows first, most important first. */
  columns?: readonly string[];
  /** A response may omit properties, such as all but the identity of a deleted record. */
  sparse?: boolean;
}
export interface ListShape extends Common {
  kind: 'list';
  item: Shape;
  min?: number;
  max: number;
  /** A short form of an item that a client may send, such as the bare id of an object. */
  short?: Shape;
  /** Property that identifies items, such as `methodType.id`; required if items contain secrets. */
  key?: string;
}
/** Keys that the client chooses, or of a fixed set; all values have one shape. */
export interface MapShape extends Common {
  kind: 'map';
  value: Shape;
  max: number;
  /** The only allowed keys; absent: any. */
  keys?: readonly string[];
}

export type Shape =
  | TextShape
  | IntegerShape
  | DecimalShape
  | FlagShape
  | TimeShape
  | ChoiceShape
  | AddressShape
  | MacShape
  | NetworkShape
  | MixedShape
  | JsonShape
  | ObjectShape
  | ListShape
  | MapShape;

/** The largest integer that JSON carries without loss; the limit of ids and counts. */
export const integerMax = Number.MAX_SAFE_INTEGER;
