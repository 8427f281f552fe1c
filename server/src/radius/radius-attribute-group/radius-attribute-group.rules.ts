import { type Context, rules } from '../../context.ts';
import { invalid, protectedRecord } from '../../kernel/failure.ts';
import { attributeFault, type ValueType, valueFault } from './check-value.ts';
import { radiusAttributeGroup, type StoredAttribute } from './radius-attribute-group.ts';
import { fillTemplate, hasVariable, templateFault } from './templates.ts';

export const radiusAttributeGroupRules = rules(radiusAttributeGroup, {
  async beforeSave({ before, after, sent: changes }, context) {
    if (before?.builtIn && before.name !== after.name)
      throw protectedRecord(`${before.name} is built in and cannot be renamed: devices get it by its name.`);
    if (changes.attributes !== undefined) await refuseUnfit(context, changes.attributes);
  },

  beforeDelete({ name, builtIn }) {
    if (builtIn) throw protectedRecord(`${name} is built in and cannot be deleted: devices get it by its name.`);
  },
});

/** An attribute that does not exist is the kernel's to refuse. */
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
    if (tag > 0 && !entry.hasTag) throw refuse('tag', `values of ${entry.attribute} carry no tag`);
    if (previousKeys.has(`${dbid} ${tag}`))
      throw refuse('dbid', `${entry.attribute} stands before it; give it several values`);
    previousKeys.add(`${dbid} ${tag}`);
    for (const [place, template] of responseValues.entries()) {
      const wrong = templateFault(template) ?? fixedValueFault(entry, template);
      if (wrong) throw refuse(`responseValues.${place}`, wrong);
    }
  }
}

/** A value without variables is known already. */
const fixedValueFault = (entry: ValueType, template: string): string | undefined =>
  hasVariable(template) ? undefined : valueFault(entry, fillTemplate(template, {}, 'keep')!);
