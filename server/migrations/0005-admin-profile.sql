-- Admin profiles get their schedule, their other login rules, and a record for each permission key instead of a list of verbs.

alter table admin_profile
  add column schedule jsonb not null
    default '{"version": 0, "startTimeOfDay": 0, "endTimeOfDay": 1440, "daysOfWeek": 127, "alwaysOn": true}',
  add column manage_by_groups boolean not null default false,
  add column prevent_aging boolean not null default true,
  add column upgrade_permissions boolean not null default true,
  add column is_kiosk_mode boolean not null default false,
  add column kiosk_welcome_message text;

create function pg_temp.permission(verbs jsonb, attributes jsonb default '{}') returns jsonb language sql as $$
  select jsonb_build_object(
    'view', verbs ?| array['view', 'add', 'modify', 'delete'], 'add', verbs ? 'add', 'modify', verbs ? 'modify', 'delete', verbs ? 'delete',
    'customized', false, 'allIDs', true, 'selectedIDs', '[]'::jsonb, 'attributes', attributes)
$$;

update admin_profile p
set permissions = (
  select coalesce(jsonb_object_agg(e.key, pg_temp.permission(e.value)), '{}')
  from jsonb_each(p.permissions) e);

-- Built-in profiles: the administrator's shows what it may, the others come beside the auditor's.

create function pg_temp.granted(keys text[], verbs jsonb, attributes jsonb default '{}') returns jsonb language sql as $$
  select coalesce(jsonb_object_agg(k.key, pg_temp.permission(verbs, attributes)), '{}') from unnest(keys) k(key)
$$;

create temporary table every_key on commit drop as
select array[
  'admin-profiles', 'own-session', 'dashboard', 'guests', 'guest-templates', 'self-registration', 'groups', 'hosts', 'host-registration',
  'host-lifecycle', 'scan-results', 'device-profiling', 'devices', 'discovery', 'firewall', 'policy-access', 'policy-authentication',
  'policy-compliance', 'policy-supplicant', 'roles', 'portal', 'security-incidents', 'events-alarms', 'connection-log', 'audit-log', 'radius',
  'authentication-servers', 'directories', 'mdm-patch', 'messaging', 'log-transport', 'agents', 'network-settings', 'certificates',
  'system-settings', 'high-availability', 'backup', 'federation', 'scheduler', 'debug'] as keys;

update admin_profile
set permissions = pg_temp.granted((select k.keys from every_key k), '["view", "add", "modify", "delete"]')
where administrator;

insert into admin_profile (name, note, administrator, permissions, inactivity_time, landing_page, lockout_threshold, lockout_duration)
select b.name, b.note, false, b.permissions, 15, b.landing_page, 5, 300 from (values
  ('Operator', 'Sees all but debug, admin profiles and backup; changes hosts, groups, alarms and security incidents.', 'dashboard',
    pg_temp.granted(
      (select array_agg(k.key) from every_key, unnest(keys) k(key) where k.key not in ('debug', 'admin-profiles', 'backup', 'own-session')),
      '["view"]')
    || pg_temp.granted(array['hosts', 'groups', 'events-alarms', 'security-incidents'], '["view", "modify"]')),
  ('Help Desk', 'Helps people with their hosts and guests.', 'hosts',
    pg_temp.granted(array['host-registration', 'guests', 'self-registration'], '["view", "add", "modify", "delete"]')
    || pg_temp.granted(array['devices', 'connection-log'], '["view"]')
    || pg_temp.granted(array['hosts'], '["view", "modify"]')),
  ('Guest Sponsor', 'Makes guest accounts and answers requests of their own guests.', 'guests',
    pg_temp.granted(array['guests'], '["view", "add", "modify"]', '{"accounts": "OWN"}')
    || pg_temp.granted(array['self-registration'], '["view", "modify"]', '{"requests": "OWN"}')),
  ('API Read Only', 'Reads inventory and logs, for programs.', 'dashboard',
    pg_temp.granted(array['groups', 'hosts', 'scan-results', 'device-profiling', 'devices', 'security-incidents', 'events-alarms',
      'connection-log', 'audit-log'], '["view"]'))
) b(name, note, landing_page, permissions)
where not exists (select from admin_profile p where lower(p.name) = lower(b.name));

update admin_profile set landing_page = 'audit' where name = 'Auditor' and not administrator;

alter table admin_profile
  alter column schedule drop default,
  alter column manage_by_groups drop default,
  alter column prevent_aging drop default,
  alter column upgrade_permissions drop default,
  alter column is_kiosk_mode drop default;

drop function pg_temp.granted, pg_temp.permission;

-- How long a session may be idle is its profile's to say, at every request.
alter table login_session drop column idle_minutes;
