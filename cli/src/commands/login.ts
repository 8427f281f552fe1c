import { operations } from '@portreeve/sdk/generated/operations.ts';
import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { checkedUrl, clientOf, findConnection, keepConnection } from '../connection.ts';
import { line } from '../output.ts';

export const login: Command = {
  name: 'login',
  positionals: [],
  doc: 'Keep the address of the service and your token in ~/.config/portreeve/config.json',
  about: [
    'The token is tried first, and asked for when --token is left out: words on a command line can be seen by others.',
  ],
  options: {
    url: { value: 'URL', doc: 'Where the service is, such as https://nac.example.net' },
    token: { value: 'TOKEN', doc: 'An API token (prt_…); left out, it is asked for or read from standard input' },
  },
  async run(args, screen) {
    const known = args.has('url') ? checkedUrl(args.text('url')!) : (await findConnection(args, screen.env)).url;
    const token = (args.text('token') ?? (await readSecret(`Token for ${known}: `))).trim();
    const connection = { url: known, token };
    await clientOf(connection).call(operations['token.list']);
    const file = await keepConnection(connection, screen.env);
    await line(screen.out, `Signed in at ${known}; kept in ${file}.`);
  },
};
