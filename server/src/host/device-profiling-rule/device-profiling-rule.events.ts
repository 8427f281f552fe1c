import { eventType } from '../../kernel/declare/event-type.ts';
import { deviceProfilingRule } from './device-profiling-rule.ts';

export const profilingRuleInvalid = eventType({
  name: 'PROFILING_RULE_INVALID',
  description: 'An enabled device profiling rule is skipped because a reference or a secret is missing.',
  category: 'POLICY',
  elementType: deviceProfilingRule.events.elementType,
  format: 'Device profiling rule {element} is skipped: a reference or a secret is missing.',
  syslogSeverity: 4,
});
