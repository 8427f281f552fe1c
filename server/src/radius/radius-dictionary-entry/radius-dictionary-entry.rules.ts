import { type Context, everyRow, rules } from '../../context.ts';
import { Failure, invalidField, protectedRecord, rejected } from '../../kernel/failure.ts';
import { namedNumberMax } from '../dictionary-types/dictionary-types.ts';
import { internalAttributes } from '../engine-files/engine-files.ts';
import { raiseGenerationAfterDelete, raiseRadius } from '../rollout/rollout.service.ts';
import { type DefinedAttribute, dictionaryLines } from './dictionary-lines.ts';
import { lockSql } from './lock-dictionary.ts';
import { customSql } from './radius-dictionary-entry.service.ts';
import { radiusDictionaryEntry } from './radius-dictionary-entry.ts';

/** Limit on the site's own attributes, because each change checks all of them. */
const ownMax = 2_000;

const everyEntry = everyRow(
  radiusDictionaryEntry,
  'numbers and names are unique, independently of who may view the entry',
);

const namesakeSql = `select from ${everyEntry} e where lower(e.attribute) = lower($2) and e.id is distinct from $1`;

const takenSql = `select e.attribute from ${everyEntry} e
where e.vendor_id is not distinct from $2 and e.value = $3 and e.id is distinct from $1 limit 1`;

/** Selects a member of an attribute. Without that attribute, the engine would reject the complete dictionary. */
const memberSql = `select e.attribute from ${everyEntry} e
where e.custom and e.vendor_id is not distinct from $1 and starts_with(e.value, $2) order by e.id limit 1`;

/** Selects another entry with the same vendor number or name. */
const vendorSql = `select e.vendor, e.vendor_id as "vendorID", e.format from ${everyEntry} e
where (e.vendor_id = $2 or lower(e.vendor) = lower($3)) and e.id is distinct from $1 order by e.id limit 1`;

export const radiusDictionaryEntryRules = rules(radiusDictionaryEntry, {
  async beforeSave({ before, after }, context) {
    if (before) refuseEngines(before);
    const { vendor, vendorID, format, definedValues } = after;
    if ((vendor === null) !== (vendorID === null))
      throw invalidField(vendor === null ? 'vendor' : 'vendorID', 'is required: a vendor has a name and a number');
    if (format !== null && vendor === null) throw invalidField('format', 'requires a vendor');
    for (const number of Object.keys(definedValues))
      if (!/^(0|[1-9][0-9]{0,9})$/.test(number) || Number(number) > namedNumberMax)
        throw invalidField('definedValues', `${JSON.stringify(number)} is not a number from 0 to ${namedNumberMax}`);
    await context.query(lockSql, []);
    // The kernel rejects a duplicate name with its own message.
    if ((await context.query(namesakeSql, [before?.dbid ?? null, after.attribute])).length > 0) return;
    await refuseTaken(context, after, before?.dbid ?? null);
    await refuseWhatTheEngineRefuses(context, after, before?.dbid ?? null);
  },

  afterSave: (_step, { tx: { client } }) => raiseRadius(client),

  beforeDeleteMany: raiseGenerationAfterDelete,

  async beforeDelete(entry, context) {
    refuseEngines(entry);
    await context.query(lockSql, []);
    const { attribute, vendorID, value } = entry;
    const [member] = await context.query<{ attribute: string }>(memberSql, [vendorID, `${value}.`]);
    if (member)
      throw new Failure('in-use', `The attribute ${member.attribute} is a member of ${attribute}; delete it first.`);
  },
});

function refuseEngines({ attribute, custom }: { attribute: string; custom: boolean }): void {
  if (!custom)
    throw protectedRecord(`The attribute ${attribute} belongs to the engine; only your own attributes can be changed.`);
}

async function refuseTaken({ query }: Context, entry: DefinedAttribute, id: number | null): Promise<void> {
  const { attribute, value, vendor, vendorID, format } = entry;
  const [sameNumber] = await query<{ attribute: string }>(takenSql, [id, vendorID, value]);
  if (sameNumber) throw rejected(`value: ${value} is already the number of ${sameNumber.attribute}.`, '/value');
  if (vendor === null) return;
  const [otherEntry] = await query<{ vendor: string; vendorID: number; format: string | null }>(vendorSql, [
    id,
    vendorID,
    vendor,
  ]);
  if (!otherEntry) return;
  if (otherEntry.vendorID !== vendorID || otherEntry.vendor !== vendor)
    throw rejected(
      `vendor: other attributes have ${otherEntry.vendor} with the number ${otherEntry.vendorID}.`,
      '/vendor',
    );
  if (otherEntry.format !== format)
    throw rejected(
      `format: the attributes of ${vendor} have ${otherEntry.format ?? 'none'}; ${attribute} must have the same.`,
      '/format',
    );
}

/** Validates the dictionary with the engine, because an invalid one would prevent its start. */
async function refuseWhatTheEngineRefuses(context: Context, entry: DefinedAttribute, id: number | null): Promise<void> {
  const otherEntries = await context.query<DefinedAttribute>(customSql, [id]);
  if (otherEntries.length >= ownMax)
    throw rejected(`There are already ${ownMax} attributes of your own, which is the limit.`);
  const complaint = await context.protocols.radiusEngine.validate([
    ...internalAttributes,
    ...dictionaryLines([...otherEntries, entry]),
  ]);
  if (complaint !== undefined) throw rejected(`The RADIUS engine rejects this entry: ${complaint}.`);
}
