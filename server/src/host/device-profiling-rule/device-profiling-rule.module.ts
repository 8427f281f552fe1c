import { resource } from '../../context.ts';
import { profilingRuleInvalid } from './device-profiling-rule.events.ts';
import { deviceProfilingRuleRules } from './device-profiling-rule.rules.ts';
import { deviceProfilingRule } from './device-profiling-rule.ts';

export const deviceProfilingRuleModule = resource('Device profiling rule', deviceProfilingRule, {
  rules: deviceProfilingRuleRules,
  events: [profilingRuleInvalid],
});
