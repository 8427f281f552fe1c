import { type Context, rules, same } from '../../context.ts';
import { duplicate, invalidField, rejected } from '../../kernel/failure.ts';
import { raiseGenerationAfterDelete, raiseRadius } from '../../radius/rollout/rollout.service.ts';
import { defaultsHidden } from './aaa-mappings.events.ts';
import { refuseRepeatedServer, requireServerWithAuthPort } from './aaa-mappings.service.ts';
import { aaaDefaults, aaaLocalDomain, aaaMapping } from './aaa-mappings.ts';

export const aaaMappingRules = rules(aaaMapping, {
  async beforeSave({ before, after, sent: requestBody }, context) {
    after.domainName = after.domainName.toLowerCase();
    const { radiusServerID, radiusServer: serverName } = requestBody;
    if (serverName !== undefined) {
      const id = await serverByName(context, serverName);
      if (radiusServerID !== undefined && radiusServerID !== id)
        throw rejected('radiusServer: is not the name of the server radiusServerID.', '/radiusServer');
      after.radiusServerID = id;
    }
    if (!after.radiusServerID) throw invalidField('radiusServerID', 'this field is required, or radiusServer');
    if (after.radiusServerID !== before?.radiusServerID)
      await requireServerWithAuthPort(context, Number(after.radiusServerID), 'radiusServerID');
    await lockDomains(context);
    const [local] = await context.query('select from aaa_local_domain l where l.domain_name = $1', [after.domainName]);
    if (local) throw duplicate(`domainName: ${after.domainName} is a local domain; a domain cannot be both.`);
  },

  async afterSave({ id, before, after }, { tx, query }) {
    await raiseRadius(tx.client);
    const hidesDefaults =
      after.domainName === '' && !same([before?.domainName, before?.radiusServerID], ['', after.radiusServerID]);
    if (!hidesDefaults) return;
    const [server] = await query<{ name: string }>('select s.name from aaa_server s where s.id = $1', [
      after.radiusServerID,
    ]);
    const name = server?.name ?? '';
    await tx.emit({ type: defaultsHidden, element: { id, name }, attributes: { server: name } });
  },

  beforeDeleteMany: raiseGenerationAfterDelete,
});

export const aaaLocalDomainRules = rules(aaaLocalDomain, {
  async beforeSave({ after }, context) {
    after.domainName = after.domainName.toLowerCase();
    await lockDomains(context);
    const [mapped] = await context.query('select from aaa_mapping m where m.domain_name = $1 limit 1', [
      after.domainName,
    ]);
    if (mapped) throw duplicate(`domainName: ${after.domainName} has an AAA mapping; a domain cannot be both.`);
  },

  afterSave: (_step, { tx: { client } }) => raiseRadius(client),

  beforeDeleteMany: raiseGenerationAfterDelete,
});

export const aaaDefaultsRules = rules(aaaDefaults, {
  async beforeSave({ before, after }, context) {
    const { primaryServerID } = after;
    for (const field of ['primaryServerID', 'secondaryServerID'] as const)
      if (after[field] && after[field] !== before?.[field])
        await requireServerWithAuthPort(context, Number(after[field]), field);
    refuseRepeatedServer(after, ['primaryServerID', 'secondaryServerID']);
    if (!after.radiusProxyAuthEnabled) return;
    if (!primaryServerID) throw invalidField('primaryServerID', 'is required while radiusProxyAuthEnabled is true');
    const [accountingPort] = await context.query('select from radius_global s where s.acct_port = $1', [
      after.radiusProxyAuthPort,
    ]);
    if (accountingPort)
      throw rejected('radiusProxyAuthPort: is the port for accounting in the RADIUS settings.', '/radiusProxyAuthPort');
  },

  afterSave: (_step, { tx: { client } }) => raiseRadius(client),
});

/** Serialises changes of domains: two requests must not make one domain local and mapped. */
const lockDomains = ({ query }: Context) => query(`select pg_advisory_xact_lock(hashtext('aaa-domains'))`, []);

async function serverByName({ query }: Context, name: string): Promise<number> {
  const [server] = await query<{ id: number }>('select s.id from aaa_server s where lower(s.name) = lower($1)', [name]);
  if (!server) throw rejected(`radiusServer: there is no AAA server ${name}.`, '/radiusServer');
  return server.id;
}
