import { operations } from '@portreeve/sdk/generated/operations.ts';
import { connectionOptions } from '../account.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { line } from '../output.ts';
import { escapedJson, escapeUnsafe } from '../text.ts';
import { readNetworkPassword, userFrom } from '../user.ts';

export const userSetPassword: Command = {
  name: 'user set-password',
  positionals: ['USER'],
  doc: 'Set the network password of a user, prompted for or read from standard input',
  about: [
    'Calls the API. Required permission: modify hosts, and for an administrator modify admin-profiles.',
    'The password is used for RADIUS only. The sign-in password of an administrator does not change.',
  ],
  options: {
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const client = clientOf(await findConnection(args, screen.env), args);
    const { id, userID, adminProfileDBID } = await userFrom(client, args.positionals[0]!);
    const networkPassword = await readNetworkPassword(userID);
    const operation = operations[adminProfileDBID === null ? 'user.update' : 'account.update'];
    await client.call(operation, { path: { id }, body: { networkPassword } });
    if (args.has('json')) return line(screen.out, escapedJson({ id, userID }));
    await line(screen.out, `${escapeUnsafe(userID)} has a new network password, which is required at the next login.`);
  },
};
