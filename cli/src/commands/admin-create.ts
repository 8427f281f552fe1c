import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { line } from '../output.ts';

const profileDefault = 'System Administrator';

export const adminCreate: Command = {
  name: 'admin create',
  positionals: ['USER'],
  doc: 'Create an administrator with a local password, prompted for or read from standard input',
  options: { profile: { value: 'NAME', doc: `Admin profile with the permissions (default: ${profileDefault})` } },
  async run(args, screen) {
    const { createAdministrator } = await import('@portreeve/server/auth/account.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { runOnce } = await import('@portreeve/server/node/run-once.ts');
    const userID = args.positionals[0]!;
    const profile = args.text('profile') ?? profileDefault;
    const password = await readSecret(`Password for ${userID}: `);
    await runOnce(await readConfig(), (tx) => createAdministrator(tx, { userID, password, profile }));
    await line(screen.out, `${userID} can sign in with the profile ${profile}.`);
  },
};
