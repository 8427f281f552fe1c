import { rules } from '../../context.ts';
import { invalidField, rejected } from '../../kernel/failure.ts';
import { type AuthenticationMethod, authenticationConfiguration } from './authentication-configuration.ts';

export const authenticationConfigurationRules = rules(authenticationConfiguration, {
  beforeSave({ after }) {
    after.methods = after.methods.map(({ kind, id }) => ({ kind, id: id ?? null }));
    after.methods.forEach(refuseWrongMethod);
    const listed = new Set(after.methods.map(({ kind, id }) => `${kind} ${id}`));
    if (listed.size < after.methods.length) throw invalidField('methods', 'contains a method twice');
    if (after.enableAuthentication && after.methods.length === 0)
      throw invalidField('methods', 'at least one method is required while enableAuthentication is true');
  },
});

function refuseWrongMethod({ kind, id }: AuthenticationMethod, index: number): void {
  const field = `methods.${index}`;
  if (kind === 'LDAP' || kind === 'IDP')
    throw rejected(`methods[${index}]: ${kind} is not supported yet; use LOCAL or AAA.`, `/methods/${index}/kind`);
  if (kind === 'LOCAL' && id !== null) throw invalidField(`${field}.id`, 'must be null with LOCAL');
  if (kind === 'AAA' && id === null) throw invalidField(`${field}.id`, 'is required with AAA: the id of an AAA server');
}
