import { fillTemplate, type TemplateValues } from './templates.ts';

/** Attributes with their templates, in the order they are sent. */
export interface AttributeGroup {
  name: string;
  attributes: readonly { attribute: string; tag: number; responseValues: readonly string[] }[];
}

/** Where an attribute of a reply comes from. */
export const replyOrigins = ['DEVICE', 'LOGICAL_NETWORK', 'DRIVER', 'DEFAULT', 'SESSION'] as const;
export type ReplyOrigin = (typeof replyOrigins)[number];

/** An attribute group of a reply, and why it is one. */
export interface ReplyGroup {
  from: ReplyOrigin;
  group: AttributeGroup;
}

export interface ReplyAttribute {
  attribute: string;
  tag: number;
  values: string[];
  from: ReplyOrigin;
}

/** Attributes that may stand in a reply more than once, beside the pairs of vendors. */
const repeatable: ReadonlySet<string> = new Set(['Filter-Id', 'Reply-Message', 'Class', 'Framed-Route']);
const isRepeatable = (attribute: string): boolean => repeatable.has(attribute) || attribute.endsWith('-AVPair');

/**
 * The attributes of a reply: those of each group in turn. What may stand there once is taken from the last group that has it,
 * the rest from all. `unfilled`: what becomes of a value with a variable that has none; live, it is not sent.
 */
export function replyAttributes(
  groups: readonly ReplyGroup[],
  values: TemplateValues,
  unfilled: 'drop' | 'keep' = 'drop',
): ReplyAttribute[] {
  const attributesOfGroups = groups.map(({ from: origin, group }) =>
    group.attributes.flatMap(({ attribute, tag, responseValues }): ReplyAttribute[] => {
      const texts = responseValues
        .map((template) => fillTemplate(template, values, unfilled))
        .filter((text) => text !== null);
      return texts.length === 0 ? [] : [{ attribute, tag, values: texts, from: origin }];
    }),
  );
  return attributesOfGroups.flatMap((attributes, place) => {
    const later = new Set(attributesOfGroups.slice(place + 1).flatMap((laterAttributes) => laterAttributes.map(keyOf)));
    return attributes.filter(
      (replyAttribute) => isRepeatable(replyAttribute.attribute) || !later.has(keyOf(replyAttribute)),
    );
  });
}

const keyOf = ({ attribute, tag }: ReplyAttribute): string => `${attribute} ${tag}`;
