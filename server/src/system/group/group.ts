import { collection } from '../../kernel/declare.ts';
import { choice, computed, flag, identity, landscape, modified, text, version } from '../../kernel/field.ts';

/** A named set of hosts, adapters, devices, ports, users or administrators. */
export const group = collection({
  name: 'group',
  title: 'Group',
  permission: 'groups',
  doc: 'Typed sets of elements that policies, enforcement, schedules and administrators refer to.',
  patterns: [],
  identity: 'dbid',
  scopedBy: { selected: true },
  uniqueTogether: [['type', 'name']],
  fields: {
    dbid: identity(),
    landscape,
    version,
    ...modified,
    name: text({ min: 1, max: 120, search: true, doc: 'Unique among groups of its type.' }),
    description: text({ max: 2_000, default: '' }),
    type: choice(['HOST', 'ADAPTER', 'DEVICE', 'PORT', 'USER', 'ADMINISTRATOR'], { doc: 'What its members are.' }),
    elementClass: computed<number>(
      { kind: 'integer', min: 0, max: 11 },
      `case r.type when 'HOST' then 4 when 'ADAPTER' then 5 when 'DEVICE' then 2 when 'PORT' then 3 when 'USER' then 6 else 7 end`,
      { doc: 'Code of its members among elements.' },
    ),
    userGroup: flag({ default: true, doc: 'Made by people; false: built in.' }),
    tag: text({
      max: 80,
      nullable: true,
      unique: true,
      doc: 'Stable key of a built-in group: code finds it by this, never by name.',
    }),
    source: choice(['LOCAL', 'DIRECTORY', 'SYSTEM'], { default: 'LOCAL' }),
    enforcement: choice(['REGISTRATION', 'AUTHENTICATION', 'REMEDIATION', 'DEAD_END', 'ROLE', 'NONE'], {
      default: 'NONE',
    }),
  },
});
