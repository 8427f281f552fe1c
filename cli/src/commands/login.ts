import { hostname } from 'node:os';
import { operations } from '@portreeve/sdk/generated/operations.ts';
import { readNewPassword } from '../account.ts';
import type { Arguments } from '../args.ts';
import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { checkedUrl, clientOf, findConnection } from '../connection.ts';
import { nameOf, storeConnection } from '../contexts.ts';
import { line } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const daysDefault = 90;

export const login: Command = {
  name: 'login',
  positionals: [],
  doc: 'Sign in: store the URL of the service and a token in ~/.config/portreeve/config.json',
  about: [
    'Several services can be stored: list them with portreeve context list, and select one with portreeve context use NAME.',
    'The token is verified first. Without --token you are prompted for it, which is safer: other users can see the arguments of a command.',
    'With --user you are prompted for the password of the account, and for a new one if it must be changed; then a token for this machine is issued and stored. From a pipe, the first line is the password and the second the new one.',
  ],
  options: {
    url: { value: 'URL', doc: 'URL of the service, such as https://nac.example.net' },
    token: {
      value: 'TOKEN',
      doc: 'API token (prt_…); without it, you are prompted for it, or it is read from standard input',
    },
    user: { value: 'USER', doc: 'Sign in with the password of this account' },
    'change-password': { doc: 'With --user: change the password in any case' },
    context: { value: 'NAME', doc: 'Name of the stored service (default: the host of the URL)' },
    days: { value: 'N', doc: `With --user: lifetime of the token in days, 1 to 365 (default: ${daysDefault})` },
  },
  async run(args, screen) {
    const user = args.text('user');
    for (const option of ['change-password', 'days'])
      if (user === undefined && args.has(option)) throw new UsageError(`--${option} requires --user.`);
    if (user !== undefined && args.has('token')) throw new UsageError('Use either --user or --token, not both.');
    const url = args.has('url') ? checkedUrl(args.text('url')!) : (await findConnection(args, screen.env)).url;
    const token =
      user === undefined
        ? (args.text('token') ?? (await readSecret(`Token for ${url}: `))).trim()
        : await tokenByPassword(url, user, args);
    const connection = { url, token };
    await clientOf(connection).call(operations['token.list']);
    const file = await storeConnection(args.text('context') ?? nameOf(url), connection, screen.env);
    await line(screen.out, `Signed in at ${url}. Stored in ${file}.`);
  },
};

interface Session {
  sessionKey: string;
  mustChangePassword: boolean;
}

async function signIn(url: string, userID: string, password: string): Promise<Session> {
  const { results } = await clientOf({ url, token: '' }).call<Session>(operations['session.login'], {
    body: { userID, password },
  });
  return results[0]!;
}

/** Signs in, changes the password if required, issues a token for this machine and signs out. */
async function tokenByPassword(url: string, userID: string, args: Arguments): Promise<string> {
  const days = args.number('days') ?? daysDefault;
  if (days < 1 || days > 365) throw new UsageError('--days takes a number from 1 to 365.');
  const password = await readSecret(`Password for ${userID} at ${url}: `);
  let session = await signIn(url, userID, password);
  if (session.mustChangePassword || args.has('change-password')) {
    const newPassword = await readNewPassword(userID);
    await clientOf({ url, token: session.sessionKey }).call(operations['session.password'], {
      body: { currentPassword: password, newPassword },
    });
    // The old session has no permissions, which nodes may cache for a moment.
    await signOut(url, session);
    session = await signIn(url, userID, newPassword);
  }
  const { results } = await clientOf({ url, token: session.sessionKey }).call<{ token: string }>(
    operations['token.create'],
    { body: { name: `portreeve login on ${hostname()}`.slice(0, 120), expiresInDays: days } },
  );
  await signOut(url, session);
  return results[0]!.token;
}

async function signOut(url: string, { sessionKey }: Session): Promise<void> {
  await clientOf({ url, token: sessionKey }).call(operations['session.logout']);
}
