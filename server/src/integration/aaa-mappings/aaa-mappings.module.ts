import { resource } from '../../context.ts';
import { localDomainActions } from './aaa-mappings.actions.ts';
import { defaultsHidden } from './aaa-mappings.events.ts';
import { aaaDefaultsRules, aaaLocalDomainRules, aaaMappingRules } from './aaa-mappings.rules.ts';
import { aaaDefaults, aaaLocalDomain, aaaMapping } from './aaa-mappings.ts';

export const aaaMappingModule = resource('AAA mappings', aaaMapping, {
  rules: aaaMappingRules,
  events: [defaultsHidden],
});

export const aaaLocalDomainModule = resource('AAA mappings', aaaLocalDomain, {
  actions: localDomainActions,
  rules: aaaLocalDomainRules,
});

export const aaaDefaultsModule = resource('AAA mappings', aaaDefaults, { rules: aaaDefaultsRules });
