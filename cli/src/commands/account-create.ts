import { operations } from '@portreeve/sdk/generated/operations.ts';
import { connectionOptions, emitPassword, generateOption, profileFrom, readNewPassword } from '../account.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { line } from '../output.ts';
import { escapeUnsafe } from '../text.ts';
import { UsageError } from '../usage-error.ts';

export const accountCreate: Command = {
  name: 'account create',
  replacesVerb: 'with-argument',
  positionals: ['USER'],
  doc: 'Create an administrator account; its password is prompted for, or read from standard input',
  about: [
    'Calls the API. Required permissions: add admin-profiles, and every permission of the assigned profile.',
    'The password must be changed at the first sign-in: portreeve login --user USER.',
    'Create the first administrator on a node instead: portreeve admin create USER.',
  ],
  options: {
    profile: { value: 'NAME', doc: 'Admin profile with the permissions (required; see portreeve admin-profile list)' },
    'first-name': { value: 'TEXT', doc: 'First name' },
    'last-name': { value: 'TEXT', doc: 'Last name' },
    email: { value: 'ADDRESS', doc: 'Email address' },
    expires: { value: 'TIME', doc: 'Expiration date of the account, such as 2036-01-31T18:00:00Z (default: never)' },
    ...generateOption,
    'dry-run': { doc: 'Check everything without creating anything' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const userID = args.positionals[0]!;
    const profile = args.text('profile');
    if (profile === undefined) throw new UsageError('--profile is required: the admin profile with the permissions.');
    const client = clientOf(await findConnection(args, screen.env), args);
    const { dbid, name } = await profileFrom(client, profile);
    const isDry = args.has('dry-run');
    const password = args.has('generate') || isDry ? undefined : await readNewPassword(userID);
    const { results } = await client.call<{ password: string | null }>(operations['account.create'], {
      ...(isDry && { dryRun: true }),
      body: {
        userID,
        adminProfileDBID: dbid,
        ...(password !== undefined && { password: password }),
        ...Object.fromEntries(
          fields.filter(([option]) => args.has(option)).map(([option, field]) => [field, args.text(option)]),
        ),
      },
    });
    if (isDry)
      return line(
        screen.out,
        `${escapeUnsafe(userID)} can be created with the profile ${escapeUnsafe(name)}. Nothing was created.`,
      );
    const sentence = `${escapeUnsafe(userID)} can sign in with the profile ${escapeUnsafe(name)}, and must change the password first.`;
    await emitPassword(screen, sentence, results[0]?.password);
  },
};

const fields = [
  ['first-name', 'firstName'],
  ['last-name', 'lastName'],
  ['email', 'email'],
  ['expires', 'expirationDate'],
] as const;
