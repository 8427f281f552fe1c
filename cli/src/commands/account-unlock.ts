import { operations } from '@portreeve/sdk/generated/operations.ts';
import { accountFrom, connectionOptions } from '../account.ts';
import type { Arguments } from '../args.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { line, type Screen } from '../output.ts';
import { counted, escapedJson, escapeUnsafe } from '../text.ts';

export const accountUnlock: Command = {
  name: 'account unlock',
  replacesVerb: 'always',
  positionals: ['USER'],
  doc: 'Unlock an account that is locked after failed sign-ins',
  about: [
    'Calls the API as another administrator.',
    'With --on-node it uses the database of this node and needs no sign-in, for the case that the only administrator is locked out.',
  ],
  options: {
    'on-node': { doc: 'Use the database of this node, with its settings (portreeve help environment)' },
    json: { doc: 'Print JSON, for scripts' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const userID = args.positionals[0]!;
    return args.has('on-node') ? unlockOnNode(userID, screen) : unlockByApi(userID, args, screen);
  },
};

async function unlockByApi(word: string, args: Arguments, screen: Screen): Promise<void> {
  const client = clientOf(await findConnection(args, screen.env), args);
  const { id, userID } = await accountFrom(client, word);
  await client.call(operations['account.unlock'], { path: { id } });
  if (args.has('json')) return line(screen.out, escapedJson({ id, userID }));
  await line(screen.out, `${escapeUnsafe(userID)} can sign in again. The failed sign-ins were deleted.`);
}

async function unlockOnNode(userID: string, screen: Screen): Promise<void> {
  const { unlockAccount } = await import('@portreeve/server/auth/login-attempts.ts');
  const { readConfig } = await import('@portreeve/server/node/config.ts');
  const { runOnce } = await import('@portreeve/server/node/run-once.ts');
  const failures = await runOnce(await readConfig(), (tx) => unlockAccount(tx, userID));
  const deleted = failures === 1 ? 'was deleted' : 'were deleted';
  await line(
    screen.out,
    `${escapeUnsafe(userID)} can sign in again. ${counted(failures, 'failed sign-in')} ${deleted}.`,
  );
}
