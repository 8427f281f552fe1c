import { type Context, type RecordValue, rules } from '../../context.ts';
import { invalidField, protectedRecord, rejected } from '../../kernel/failure.ts';
import type { KeyType } from '../../protocols/x509/names.ts';
import { apiTag, tlsServiceConfiguration } from './tls-service-configuration.ts';
import { recommendedProtocols, refuseOtherCiphers, type TlsSettings } from './tls-settings.ts';

interface Certificate {
  name: string;
  target: string;
  builtIn: boolean;
  keyType: KeyType | null;
}

type Saved = TlsSettings & { certificateAlias: string; trustAliases: string[] };

export const tlsServiceConfigurationRules = rules(tlsServiceConfiguration, {
  async beforeSave({ after, sent: sentFields }, context) {
    const certificate = await certificateOf(context, String(after.certificateAlias));
    // The kernel rejects a name that does not exist.
    if (!certificate) return;
    followRelease(after, sentFields, certificate);
    const settings = after as unknown as Saved;
    for (const field of ['protocols', 'ciphers', 'trustAliases'] as const) refuseTwice(field, settings[field]);
    await refuseOtherCiphers(settings, certificate);
    await refuseOtherClients(context, settings);
  },

  beforeDelete({ name, tag }) {
    if (tag === apiTag) throw protectedRecord(`${name} is how the API speaks TLS and cannot be deleted.`);
  },
});

const certificateSql = `select c.name, c.target, c.built_in as "builtIn", c.key_type as "keyType" from certificate_target c
where lower(c.name) = lower($1)`;

async function certificateOf({ query }: Context, name: string): Promise<Certificate | undefined> {
  const [certificate] = await query<Certificate>(certificateSql, [name]);
  if (!certificate) return undefined;
  const { target, builtIn, keyType } = certificate;
  if (target === 'TRUST')
    throw rejected(`certificateAlias: ${name} is an authority; it has no key.`, '/certificateAlias');
  if (keyType === null && !builtIn)
    throw rejected(`certificateAlias: ${name} has no certificate yet.`, '/certificateAlias');
  return certificate;
}

/** With `autoUpdate` the client cannot choose versions and ciphers. */
function followRelease(after: RecordValue, sentFields: RecordValue, { target }: Certificate): void {
  if (after.autoUpdate !== true) return;
  const recommended = { protocols: [...recommendedProtocols(target)], ciphers: [] };
  for (const [field, value] of Object.entries(recommended)) {
    if (sentFields[field] !== undefined && !sameItems(sentFields[field], value))
      throw invalidField(field, 'is chosen by the release while autoUpdate is on; send autoUpdate: false as well');
    after[field] = value;
  }
}

const sameItems = (a: unknown, b: readonly string[]): boolean =>
  JSON.stringify([...(a as string[])].sort()) === JSON.stringify([...b].sort());

function refuseTwice(field: string, values: readonly string[]): void {
  const second = values.find((value, index) => values.indexOf(value) < index);
  if (second !== undefined) throw invalidField(field, `names ${second} twice`);
}

const withoutListSql = `select c.name from certificate_target c where c.name = any($1) and c.crl_pem is null order by c.name`;

async function refuseOtherClients({ query }: Context, settings: Saved): Promise<void> {
  const { clientAuth, trustAliases, checkCrl, protocols } = settings;
  if (clientAuth !== 'NONE' && trustAliases.length === 0)
    throw invalidField('trustAliases', `must name an authority, because clientAuth is ${clientAuth}`);
  // A node checks its own listener without a client certificate; only with TLS 1.3 does it get the server's certificate
  // then.
  if (clientAuth === 'REQUIRED' && !protocols.includes('TLS_1_3'))
    throw invalidField('clientAuth', 'can be REQUIRED only where protocols has TLS_1_3');
  if (!checkCrl) return;
  if (trustAliases.length === 0) throw invalidField('checkCrl', 'needs an authority in trustAliases');
  const [without] = await query<{ name: string }>(withoutListSql, [trustAliases]);
  if (without)
    throw rejected(
      `checkCrl: ${without.name} has no revocation list, so that all of its certificates would be refused; install its crl.`,
      '/checkCrl',
    );
}
