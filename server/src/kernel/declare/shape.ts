/**
 * Shapes: what a value on the wire looks like, as plain data.
 * Everything that must agree about a value reads the same shape: the check of a body, JSON, XML, OpenAPI, columns and filters.
 */

import type { SecretBinding } from './secret-binding.ts';

interface Common {
  nullable?: boolean;
  /** One sentence for people who do not know the field: reaches OpenAPI, the console and the CLI. */
  doc?: string;
  example?: unknown;
}

export interface TextShape extends Common {
  kind: 'text';
  min?: number;
  max: number;
  /** An anchored regular expression of ours (never a caller's), with its meaning in words. */
  pattern?: { source: string; words: string };
  /** A secret inside a list or object: stored sealed, shown as •••, kept when that is sent back. A field that is one itself says `secret(…)`. */
  secret?: boolean;
  /** Which fields of the record decide where the service sends it: required of a secret inside a field that is stored. */
  binding?: SecretBinding;
}
export interface IntegerShape extends Common {
  kind: 'integer';
  min: number;
  max: number;
  /** What each value stands for, the least one first. */
  words?: readonly string[];
}
/** A number that the contract calls decimal. */
export interface DecimalShape extends Common {
  kind: 'decimal';
  min: number;
  max: number;
}
export interface FlagShape extends Common {
  kind: 'flag';
  /** What an absent one means, in an object inside a field; the group reads it so. A field says `default`. */
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
/** A MAC address: taken in any notation, written `00:1A:2B:3C:4D:5E`; empty where there is none and null is not allowed. */
export interface MacShape extends Common {
  kind: 'mac';
}
/** An IPv4 or IPv6 network in CIDR notation. */
export interface NetworkShape extends Common {
  kind: 'network';
}
/** A text, a number, a flag or a list of texts: what a condition compares with. XML has texts and lists only; the group reads what they mean. */
export interface MixedShape extends Common {
  kind: 'mixed';
  /** Characters of a text, also of each in a list. */
  max: number;
  items: number;
  /** It is a list where another property of its object has one of these values. */
  listWith?: { property: string; values: readonly string[] };
}
/** Any JSON value, kept for a client and not understood here. XML has it as one text of JSON. */
export interface JsonShape extends Common {
  kind: 'json';
  /** Bytes of its shortest JSON text. */
  max: number;
}
export interface ObjectShape extends Common {
  kind: 'object';
  /** Name of the component in the OpenAPI document and of the type in the XML schema; unnamed objects stand in place. */
  name?: string;
  properties: Readonly<Record<string, Shape>>;
  /** Properties that must be sent; answers always carry all of them. */
  required?: readonly string[];
  /** The properties that a table shows first, most important first. */
  columns?: readonly string[];
  /** An answer may leave properties out, such as all but the identity of a record that is gone. */
  sparse?: boolean;
}
export interface ListShape extends Common {
  kind: 'list';
  item: Shape;
  min?: number;
  max: number;
  /** What a client may send instead of every item, such as the bare id of an object. */
  short?: Shape;
  /** Property that identifies items, such as `methodType.id`; required if items contain secrets. */
  key?: string;
}
/** Keys of the client's choice, or of a known set; one shape of value. */
export interface MapShape extends Common {
  kind: 'map';
  value: Shape;
  max: number;
  /** The only keys there are; any when absent. */
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

/** The largest integer that JSON carries without loss; ids and counts stay below it. */
export const integerMax = Number.MAX_SAFE_INTEGER;
