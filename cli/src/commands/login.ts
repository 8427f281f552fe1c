import { operations } from '@portreeve/sdk/generated/operations.ts';
import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { checkedUrl, clientOf, findConnection, keepConnection } from '../connection.ts';
import { line } from '../output.ts';

export const login: Command = {
  name: 'login',
  positionals: [],
  doc: 'Store the URL of the service and your token in ~/.config/portreeve/config.json',
  about: [
    'The token is verified first. Leave out --token to be prompted: other users can see arguments of a command line.',
  ],
  options: {
    url: { value: 'URL', doc: 'URL of the service, such as https://nac.example.net' },
    token: {
      value: 'TOKEN',
      doc: 'An API token (prt_…); without it you are prompted, or it is read from standard input',
    },
  },
  async run(args, screen) {
    const known = args.has('url') ? checkedUrl(args.text('url')!) : (await findConnection(args, screen.env)).url;
    const token = (args.text('token') ?? (await readSecret(`Token for ${known}: `))).trim();
    const connection = { url: known, token };
    await clientOf(connection).call(operations['token.list']);
    const file = await keepConnection(connection, screen.env);
    await line(screen.out, `Signed in at ${known}. Stored in ${file}.`);
  },
};
