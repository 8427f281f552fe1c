import { operations } from '@portreeve/sdk/generated/operations.ts';
import { accountFrom, connectionOptions, emitPassword, generateOption, readNewPassword } from '../account.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { line } from '../output.ts';
import { escapedJson, escapeUnsafe } from '../text.ts';

export const accountResetPassword: Command = {
  name: 'account reset-password',
  replacesVerb: 'always',
  positionals: ['USER'],
  doc: 'Reset the password of an administrator; it is prompted for, or read from standard input',
  about: [
    'Calls the API. Sessions and tokens of the account end at once, the account is unlocked, and the password must be changed at the next sign-in.',
    'Change your own password with portreeve login --user USER --change-password.',
  ],
  options: {
    ...generateOption,
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env), args);
    const { id, userID } = await accountFrom(client, args.positionals[0]!);
    const password = args.has('generate') ? undefined : await readNewPassword(userID);
    const { results } = await client.call<{ password: string | null }>(operations['account.reset-password'], {
      path: { id },
      ...(password !== undefined && { body: { password } }),
    });
    if (args.has('json')) return line(screen.out, escapedJson(results[0]));
    const sentence = `${escapeUnsafe(userID)} has a new password, which must be changed at the next sign-in. Sessions and tokens have ended.`;
    await emitPassword(screen, sentence, results[0]?.password);
  },
};
