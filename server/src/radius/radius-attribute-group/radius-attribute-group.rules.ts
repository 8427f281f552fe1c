import { type Context, rules } from '../../context.ts';
import { invalid, protectedRecord } from '../../kernel/failure.ts';
import { attributeFault, type ValueType, valueFault } from './check-value.ts';
import { radiusAttributeGroup, type StoredAttribute } from './radius-attribute-group.ts';
import { fillTemplate, hasVariable, templateFault } from './templates.ts';

export const radiusAttributeGroupRules = rules(radiusAttributeGroup, {
  async beforeSave({ before, after, sent: changes }, context) {
    if (before?.builtIn && before.name !== after.name)
      throw protectedRecord(`${before.name} is built in and cannot be renamed: it is assigned to devices by its name.`);
    if (changes.attributes !== undefined) await refuseUnfit(context, changes.attributes);
  },

  beforeDelete({ name, builtIn }) {
    if (builtIn)
      throw protectedRecord(`${name} is built in and cannot be deleted: it is assigned to devices by its name.`);
  },
});

/** Rejects attributes and values that cannot be sent. The kernel rejects an attribute that does not exist. */
async function refuseUnfit({ query }: Context, attributes: readonly Partial<StoredAttribute>[]): Promise<void> {
  const entries = await query<ValueType & { id: number }>(
    `select e.id, e.attribute, e.value, e.type, e.vendor_id as "vendorID", e.has_tag as "hasTag", e.defined_values as "definedValues"
     from radius_dictionary_entry e where e.id = any($1::bigint[])`,
    [attributes.map(({ dbid }) => dbid)],
  );
  const previousKeys = new Set<string>();
  for (const [index, { dbid, tag = 0, responseValues = [] }] of attributes.entries()) {
    const entry = entries.find(({ id }) => id === dbid);
    if (!entry) continue;
    const refuse = (property: string, message: string) => {
      const place = `attributes.${index}.${property}`;
      return invalid([{ pointer: `/${place.replaceAll('.', '/')}`, message: `${place}: ${message}.` }]);
    };
    const fault = attributeFault(entry);
    if (fault) throw refuse('dbid', fault);
    if (tag > 0 && !entry.hasTag) throw refuse('tag', `values of ${entry.attribute} have no tag`);
    if (previousKeys.has(`${dbid} ${tag}`))
      throw refuse('dbid', `${entry.attribute} is listed twice; give it several values instead`);
    previousKeys.add(`${dbid} ${tag}`);
    for (const [place, template] of responseValues.entries()) {
      const wrong = templateFault(template) ?? fixedValueFault(entry, template);
      if (wrong) throw refuse(`responseValues.${place}`, wrong);
    }
  }
}

/** Returns the fault of a response value without variables; others are only known when they are sent. */
const fixedValueFault = (entry: ValueType, template: string): string | undefined =>
  hasVariable(template) ? undefined : valueFault(entry, fillTemplate(template, {}, 'keep')!);
