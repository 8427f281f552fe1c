import { fillTemplate, type TemplateValues } from './templates.ts';

/** A list of attributes with the templates of their values, in the order they are sent. */
export interface AttributeGroup {
  name: string;
  attributes: readonly { attribute: string; tag: number; responseValues: readonly string[] }[];
}

/** Sources of the attributes of a reply. */
export const replyOrigins = ['DEVICE', 'LOGICAL_NETWORK', 'DRIVER', 'DEFAULT', 'SESSION'] as const;
export type ReplyOrigin = (typeof replyOrigins)[number];

/** An attribute group of a reply, with its source. */
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

/** Attributes that a reply can have more than once, besides the AVPair attributes of vendors. */
const repeatable: ReadonlySet<string> = new Set(['Filter-Id', 'Reply-Message', 'Class', 'Framed-Route']);
const isRepeatable = (attribute: string): boolean => repeatable.has(attribute) || attribute.endsWith('-AVPair');

/**
 * Returns the attributes of a reply, group by group. An attribute that can be sent only once is taken from the last group that has it, a
 * repeatable one from all. `unfilled`: whether values with a variable without a value are kept; real replies drop them.
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
