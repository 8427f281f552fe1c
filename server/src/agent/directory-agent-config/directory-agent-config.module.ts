import { resource } from '../../context.ts';
import { directoryAgentConfigRules } from './directory-agent-config.rules.ts';
import { directoryAgentConfig } from './directory-agent-config.ts';

export const directoryAgentConfigModule = resource('Directory agent config', directoryAgentConfig, {
  rules: directoryAgentConfigRules,
});
