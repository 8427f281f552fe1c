import type { Command } from '../command.ts';
import { line } from '../output.ts';

export const accountUnlock: Command = {
  name: 'account unlock',
  positionals: ['USER'],
  doc: 'Forget the failed logins of an account, so that it can sign in again from everywhere',
  about: ['Works on the database of this node: nobody has to be signed in.'],
  options: {},
  async run(args, screen) {
    const { unlockAccount } = await import('@portreeve/server/auth/login-attempts.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { runOnce } = await import('@portreeve/server/node/run-once.ts');
    const userID = args.positionals[0]!;
    const failures = await runOnce(await readConfig(), (tx) => unlockAccount(tx, userID));
    await line(screen.out, `${userID} can sign in again; ${failures} failed logins were forgotten.`);
  },
};
