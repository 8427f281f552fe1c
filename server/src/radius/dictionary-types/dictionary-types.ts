import type { MapShape } from '../../kernel/declare/shape.ts';

/** Attribute types of the engine's dictionary. */
export const radiusTypes = [
  'string',
  'integer',
  'ipaddr',
  'ipv6addr',
  'ipv6prefix',
  'ipv4prefix',
  'octets',
  'date',
  'ifid',
  'ether',
  'byte',
  'short',
  'signed',
  'integer64',
  'tlv',
  'combo-ip',
  'abinary',
  'vsa',
  'extended',
  'long-extended',
  'evs',
] as const;

/** The largest number that can have a name. */
export const namedNumberMax = 4_294_967_295;

/** Names of numbers. */
export const definedValues = {
  kind: 'map',
  value: {
    kind: 'text',
    min: 1,
    max: 120,
    pattern: { source: '^[^\\s#\\u0000-\\u001f]+$', words: 'a name without blanks' },
    example: 'Gold',
  },
  max: 4_000,
} as const satisfies MapShape;
