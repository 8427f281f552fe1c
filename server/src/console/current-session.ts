import { everyRow } from '../kernel/access/visible-tables.ts';
import type { Sql } from '../kernel/database/connect.ts';
import type { Call, Operation } from '../kernel/declare/operation.ts';
import { allows, permissionKeys, verbs } from '../kernel/declare/permissions.ts';
import type { ObjectShape, Shape } from '../kernel/declare/shape.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { userAccount } from '../user/user-account/user-account.ts';
import { landingPageOf, menuFor } from './pages.ts';
import { keptBytesMax, sessionOf, sessionOperation } from './session-operation.ts';
import { attributesOf } from './user-attributes.ts';

const everyUser = everyRow(userAccount, 'the account of the caller');

const seconds = { kind: 'integer', min: 0, max: 86_400 } as const;

const timeoutShape = {
  kind: 'object',
  name: 'SessionTimeout',
  properties: {
    timeout: { ...seconds, doc: 'Seconds until the session ends if it stays idle.' },
    absolute: { ...seconds, doc: 'Seconds until it ends in any case.' },
  },
} as const satisfies ObjectShape;

const timeoutSql = `select
  greatest(0, floor(extract(epoch from least(s.used_at + make_interval(mins => p.inactivity_time), s.expires_at) - now())))::integer as timeout,
  greatest(0, floor(extract(epoch from s.expires_at - now())))::integer as absolute
from login_session s
join ${everyUser} a on a.id = s.account_id
join admin_profile p on p.id = effective_admin_profile(a)
where s.id = $1`;

const keyShape = { kind: 'text', min: 1, max: 120, example: 'last-visited' } as const satisfies Shape;

const entry = { page: { kind: 'text', max: 80 }, label: { kind: 'text', max: 80 } } as const;

const navigationShape = {
  kind: 'object',
  name: 'NavigationSettings',
  properties: {
    landingPage: { kind: 'text', max: 80, nullable: true, doc: 'Page shown first; null: no page is open to you.' },
    menu: {
      kind: 'list',
      max: 20,
      item: {
        kind: 'object',
        name: 'MenuArea',
        properties: {
          ...entry,
          children: { kind: 'list', max: 100, item: { kind: 'object', name: 'MenuPage', properties: entry } },
        },
      },
      doc: 'Areas with the pages that you may view and that are served.',
    },
    theme: { kind: 'choice', values: ['system', 'light', 'dark'], doc: 'Your attribute `theme`.' },
    language: { kind: 'choice', values: ['en'] },
    pageSize: { kind: 'integer', min: 10, max: 1_000, doc: 'Rows of a first page: your attribute `pageSize`.' },
  },
} as const satisfies ObjectShape;

const pageSizeDefault = 60;
const { theme: themeShape, pageSize: pageSizeShape } = navigationShape.properties;

const landingSql = `select p.landing_page as "landingPage" from ${everyUser} a
  join admin_profile p on p.id = effective_admin_profile(a) where a.id = $1`;

async function navigation(sql: Sql, { caller }: Call, served: ReadonlySet<string>) {
  const menu = menuFor(caller.rights, served);
  const { rows } = await sql.query<{ landingPage: string }>(landingSql, [caller.accountId]);
  const attributes = await attributesOf(sql, caller.accountId, ['theme', 'pageSize']);
  const [theme, pageSize] = [attributes.get('theme'), attributes.get('pageSize')];
  const fits =
    Number.isInteger(pageSize) && Number(pageSize) >= pageSizeShape.min && Number(pageSize) <= pageSizeShape.max;
  return {
    landingPage: landingPageOf(menu, rows[0]?.landingPage),
    menu,
    theme: themeShape.values.find((value) => value === theme) ?? 'system',
    language: 'en',
    pageSize: fits ? pageSize : pageSizeDefault,
  };
}

/** Features that need a configuration in addition to a right. */
const namedFeatures = ['radius', 'log-archives'] as const;

const featureNames: readonly string[] = [
  ...permissionKeys.flatMap((key) => verbs.map((verb) => `${key}.${verb}`)),
  ...namedFeatures,
];

const configuredSql = 'select exists (select from server_configuration c where c.enabled) as radius';

async function features(sql: Sql, { caller: { rights } }: Call, archives: boolean): Promise<Record<string, boolean>> {
  const { rows } = await sql.query<{ radius: boolean }>(configuredSql);
  const byRight = permissionKeys.flatMap((key) =>
    verbs.map((verb) => [`${key}.${verb}`, allows(rights, key, verb)] as const),
  );
  const featureFlags: Record<(typeof namedFeatures)[number], boolean> = {
    radius: rows[0]!.radius && allows(rights, 'radius', 'view'),
    'log-archives': archives && allows(rights, 'events-alarms', 'view'),
  };
  return { ...Object.fromEntries(byRight), ...featureFlags };
}

/** Returns the operations about the current session and the menu of the console. `served` are the resources of the contract. */
export const currentSessionOperations = (
  runtime: Runtime,
  served: ReadonlySet<string>,
  archives: boolean,
): Operation[] => [
  sessionOperation({
    operationId: 'session.timeout',
    method: 'GET',
    path: '/current-session/timeout',
    summary: 'Return when your session ends, without extending it',
    result: timeoutShape,
    isUnattended: true,
    run: (call) => {
      const { id } = sessionOf(call);
      return runtime.read(async (client) => ({ results: (await client.query(timeoutSql, [id])).rows }));
    },
  }),
  sessionOperation({
    operationId: 'session.security-key',
    method: 'GET',
    path: '/current-session/securityKey',
    summary: 'Return the security key for writes with the session cookie',
    result: { kind: 'text', max: 80 },
    run: async (call) => ({ results: [sessionOf(call).securityKey()], secret: true }),
  }),
  sessionOperation({
    operationId: 'session.cache',
    method: 'GET',
    path: '/current-session/cache',
    summary: 'Return the last filter of a list, or the last list',
    query: { key: { shape: keyShape, required: true } },
    result: {
      kind: 'json',
      max: keptBytesMax,
      doc: 'Last filter for the key filter:<resource>, last list for last-visited.',
    },
    run: (call) => {
      const { id } = sessionOf(call);
      return runtime.read(async (client) => {
        const { rows } = await client.query<{ value: unknown }>(
          'select v.value from session_value v where v.session_id = $1 and v.key = $2',
          [id, call.query.key],
        );
        return { results: rows.map(({ value }) => value) };
      });
    },
  }),
  sessionOperation({
    operationId: 'session.feature-visibility',
    method: 'GET',
    path: '/current-session/feature-visibility',
    summary: 'Return a flag for each right and each optional feature',
    result: { kind: 'map', keys: featureNames, value: { kind: 'flag' }, max: featureNames.length },
    run: (call) => runtime.read(async (client) => ({ results: [await features(client, call, archives)] })),
  }),
  sessionOperation({
    operationId: 'session.navigation-settings',
    method: 'GET',
    path: '/current-session/navigation-settings',
    summary: 'Return your console menu and display preferences',
    result: navigationShape,
    run: (call) => runtime.read(async (client) => ({ results: [await navigation(client, call, served)] })),
  }),
];
