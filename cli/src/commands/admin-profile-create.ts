import { operations } from '@portreeve/sdk/generated/operations.ts';
import { connectionOptions, profileFrom } from '../account.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { containerFrom } from '../container.ts';
import { line } from '../output.ts';
import { escapeUnsafe } from '../text.ts';
import { UsageError } from '../usage-error.ts';

const verbs = ['view', 'add', 'modify', 'delete'] as const;

interface Permission extends Partial<Record<(typeof verbs)[number], boolean>> {
  customized?: boolean;
  allIDs?: boolean;
  selectedIDs?: number[];
}

interface Profile {
  dbid: number;
  name: string;
  administrator: boolean;
  permissions: Record<string, Permission>;
  [field: string]: unknown;
}

/** Permission keys whose records the selected containers limit: devices, and RADIUS replies to them. */
const keysByContainer: readonly string[] = ['devices', 'radius'];
/** Sign-in rules that are copied. */
const copiedFields = [
  'inactivityTime',
  'schedule',
  'landingPage',
  'lockoutThreshold',
  'lockoutDuration',
  'manageByGroups',
];

export const adminProfileCreate: Command = {
  name: 'admin-profile create',
  replacesVerb: 'with-argument',
  positionals: ['NAME'],
  doc: 'Copy an admin profile, optionally limited to some containers',
  about: [
    'Without --like this is an API operation with --set and --file, see below.',
    'With --containers only the permissions that containers can limit are copied: devices (containers, devices, ports, SSIDs, port changes) and radius (RADIUS log). Other permissions are left out, because they would apply to the records of all containers; use --with to copy some of them anyway.',
  ],
  options: {
    like: { value: 'PROFILE', doc: 'Profile to copy (portreeve admin-profile list)' },
    containers: {
      value: 'A,B',
      many: true,
      doc: 'Limit the profile to these containers, by name or ID, and everything in them',
    },
    with: { value: 'KEY,KEY', many: true, doc: 'With --containers: also copy these permissions, for all records' },
    note: { value: 'TEXT', doc: 'Description of the profile' },
    'dry-run': { doc: 'Check everything without creating anything' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const like = args.text('like');
    if (like === undefined) throw new UsageError('--like is required: the profile to copy.');
    const words = listOf(args.texts('containers'));
    const extraKeys = listOf(args.texts('with'));
    if (extraKeys.length > 0 && words.length === 0) throw new UsageError('--with requires --containers.');
    const client = clientOf(await findConnection(args, screen.env), args);
    const source = await profileFrom<Profile>(client, like);
    if (source.administrator)
      throw new UsageError(`${source.name} has all permissions and cannot be copied. Copy another profile.`);
    const selectedIDs: number[] = [];
    for (const word of words) selectedIDs.push(await containerFrom(client, word));
    const permissions = words.length === 0 ? source.permissions : limitPermissions(source, selectedIDs, extraKeys);
    const name = args.positionals[0]!;
    const isDry = args.has('dry-run');
    const { id } = await client.call(operations['admin-profile.create'], {
      ...(isDry && { dryRun: true }),
      body: {
        ...Object.fromEntries(copiedFields.map((field) => [field, source[field]])),
        name,
        note: args.text('note') ?? `Like ${source.name}${words.length > 0 ? `, for ${words.join(', ')}` : ''}.`,
        permissions,
      },
    });
    const done = isDry ? `${escapeUnsafe(name)} can be created.` : `Created admin-profile ${id}.`;
    await line(screen.out, `${done} Permissions: ${wordsOf(permissions)}.`);
    const leftOut = Object.keys(source.permissions).filter(
      (key) => grants(source.permissions[key]!) && !permissions[key],
    );
    if (words.length > 0 && leftOut.length > 0)
      await line(
        screen.err,
        `Not copied, because containers cannot limit them: ${leftOut.join(', ')}. Copy some of them with --with.`,
      );
  },
};

const listOf = (texts: readonly string[]): string[] =>
  texts
    .flatMap((text) => text.split(','))
    .map((word) => word.trim())
    .filter((word) => word !== '');

const grants = (permission: Permission): boolean => verbs.some((verb) => permission[verb]);

const wordsOf = (permissions: Readonly<Record<string, Permission>>): string =>
  Object.entries(permissions)
    .filter(([key, permission]) => key !== 'own-session' && grants(permission))
    .map(([key, permission]) => `${key} (${verbs.filter((verb) => permission[verb]).join(', ')})`)
    .join(', ');

function limitPermissions(
  source: Profile,
  selectedIDs: readonly number[],
  extraKeys: readonly string[],
): Record<string, Permission> {
  const { permissions } = source;
  if (!permissions.devices || !grants(permissions.devices))
    throw new UsageError(
      `${source.name} does not grant devices, the permission that containers limit. Copy another profile.`,
    );
  const missing = extraKeys.find((key) => !permissions[key] || !grants(permissions[key]));
  if (missing !== undefined) throw new UsageError(`--with ${missing}: ${source.name} does not grant it.`);
  const copiedKeys = [...keysByContainer, ...extraKeys].filter((key) => permissions[key] && grants(permissions[key]));
  return {
    ...Object.fromEntries(copiedKeys.map((key) => [key, permissions[key]!])),
    devices: { ...permissions.devices, customized: true, allIDs: false, selectedIDs: [...selectedIDs] },
  };
}
