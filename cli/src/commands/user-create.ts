import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { line } from '../output.ts';
import { UsageError } from '../usage-error.ts';

export const userCreate: Command = {
  name: 'user create',
  positionals: ['USER'],
  doc: 'Give somebody a password for the network, prompted for or read from standard input',
  about: [
    'Works on the database of this node: nobody has to be signed in. An account that is there keeps everything else.',
    'The password is for RADIUS alone (PAP, CHAP, MS-CHAPv2, PEAP, TTLS), is encrypted, and cannot be read back.',
  ],
  options: {
    'network-password': { doc: 'Ask for a password for the network' },
    role: { value: 'NAME', doc: 'Role that policies match on' },
  },
  async run(args, screen) {
    if (!args.has('network-password')) throw new UsageError('Say what the user gets: --network-password.');
    const { setNetworkPassword } = await import('@portreeve/server/user/user-account/set-network-password.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { runOnce } = await import('@portreeve/server/node/run-once.ts');
    const userID = args.positionals[0]!;
    const password = await readSecret(`Network password for ${userID}: `);
    const isNew = await runOnce(await readConfig(), (tx) =>
      setNetworkPassword(tx, { userID, password, role: args.text('role') }),
    );
    await line(screen.out, `${userID} ${isNew ? 'can log in to the network' : 'has another network password'}.`);
  },
};
