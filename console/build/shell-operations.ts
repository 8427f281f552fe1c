/** Operations that the console calls outside the pages of resources. */
export const shellOperations = [
  'session.login',
  'session.logout',
  'session.password',
  'session.list',
  'session.security-key',
  'session.timeout',
  'session.navigation-settings',
  'session.feature-visibility',
  'session.attribute',
  'session.save-attribute',
  'session.bookmarks',
  'session.save-bookmark',
  'search.find',
  'console.counts',
  'audit-record.list',
] as const;
