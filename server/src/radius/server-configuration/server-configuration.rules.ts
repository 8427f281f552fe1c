import { isIP } from 'node:net';
import { type Context, rules } from '../../context.ts';
import type { RecordOf } from '../../kernel/declare/declaration.ts';
import { invalidField, protectedRecord, rejected } from '../../kernel/failure.ts';
import { deployFirst, trustOf } from '../../network/tls-service-configuration/tls-service-configuration.service.ts';
import { raiseAccessDevices, raiseGenerationAfterDelete, raiseRadius } from '../rollout/rollout.service.ts';
import { hostOf } from './ocsp-responder.ts';
import { serverConfiguration } from './server-configuration.ts';

type Profile = RecordOf<typeof serverConfiguration>;

export const serverConfigurationRules = rules(serverConfiguration, {
  async beforeSave({ id, before, after }, context) {
    refuseOtherTypes(after);
    await refuseResponder(after, context);
    // Serialises concurrent changes of the default profile.
    if (after.isDefault !== (before?.isDefault ?? false)) await context.query(lockSql, []);
    if (before?.isDefault && !after.isDefault && (await otherDefaults(context, id)).length === 0)
      throw protectedRecord(`${before.name} is the default; make another profile the default instead.`);
    if (after.isDefault && !after.enabled)
      throw protectedRecord(`${after.name} is the default and cannot be disabled.`);
    await refuseWithoutLists(context, after);
  },

  async afterSave({ id, before, after }, context) {
    const { client, records } = context.tx;
    await deployFirst(client, after.tlsConfigID as number);
    if (after.isDefault && !before?.isDefault)
      for (const otherDefault of await otherDefaults(context, id))
        await records.update(serverConfiguration, otherDefault.id, { isDefault: false });
    await raiseRadius(client);
    await raiseAccessDevices(client);
  },

  beforeDelete({ name, isDefault }) {
    if (isDefault) throw protectedRecord(`${name} is the default and cannot be deleted.`);
  },

  beforeDeleteMany: raiseGenerationAfterDelete,
});

const lockSql = 'select from radius_global for update';

const otherDefaultSql = 'select s.id from server_configuration s where s.is_default and s.id <> $1';

const otherDefaults = ({ query }: Context, id: number): Promise<{ id: number }[]> => query(otherDefaultSql, [id]);

function refuseOtherTypes({ enabledEapTypes, defaultEapType }: Profile): void {
  const second = enabledEapTypes.find((type, index) => enabledEapTypes.indexOf(type) < index);
  if (second !== undefined) throw invalidField('enabledEapTypes', `names ${second} twice`);
  if (!enabledEapTypes.includes(defaultEapType))
    throw invalidField('defaultEapType', `is ${defaultEapType}, which is not among enabledEapTypes`);
  const tunnel = enabledEapTypes.find((type) => type === 'PEAP' || type === 'TTLS');
  if (tunnel && !enabledEapTypes.some((type) => type === 'MSCHAPV2' || type === 'MD5' || type === 'GTC'))
    throw invalidField('enabledEapTypes', `${tunnel} needs MSCHAPV2, GTC or MD5 inside`);
}

/** Rejects a forbidden address. A name is checked when files are written, outside this transaction, because resolving it can take seconds. */
async function refuseResponder({ ocspEnabled, ocspUrl }: Profile, { protocols }: Context): Promise<void> {
  if (ocspUrl === null) {
    if (ocspEnabled) throw invalidField('ocspUrl', 'is required while ocspEnabled is on');
    return;
  }
  const host = hostOf(ocspUrl);
  if (host === undefined) throw invalidField('ocspUrl', 'is not a URL');
  if (isIP(host) !== 0)
    await protocols.outbound.resolve(host).catch((error: Error) => {
      throw rejected(`ocspUrl: ${error.message}`, '/ocspUrl');
    });
}

/** Requires a revocation list of each authority, because the engine rejects all certificates of one without a list. */
async function refuseWithoutLists(context: Context, { crlEnabled, tlsConfigID }: Profile): Promise<void> {
  if (!crlEnabled) return;
  const trusted = await trustOf(context, Number(tlsConfigID));
  if (trusted.length === 0)
    throw rejected('crlEnabled: the TLS configuration has no authority in trustAliases.', '/crlEnabled');
  const without = trusted.find(({ hasList }) => !hasList);
  if (without) throw rejected(`crlEnabled: ${without.name} has no revocation list; install its crl.`, '/crlEnabled');
}
