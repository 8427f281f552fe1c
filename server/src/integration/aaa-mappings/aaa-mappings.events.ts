import { eventType } from '../../kernel/declare/event-type.ts';

const ofServer = { category: 'INTEGRATION', elementType: 10 } as const;

export const defaultsHidden = eventType({
  ...ofServer,
  name: 'AAA_MAPPING_HIDES_DEFAULTS',
  description: 'A mapping for user names without a domain was stored: the default servers no longer get these names.',
  format: 'User names without a domain are forwarded to {server}, and no longer to the default servers.',
});
