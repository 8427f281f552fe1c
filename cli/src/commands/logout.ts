import { operations } from '@portreeve/sdk/generated/operations.ts';
import type { Command } from '../command.ts';
import { clientOf } from '../connection.ts';
import { currentContext, removeContext } from '../contexts.ts';
import { line } from '../output.ts';
import { ownToken } from '../own-token.ts';
import { escapeUnsafe } from '../text.ts';
import { UsageError } from '../usage-error.ts';

export const logout: Command = {
  name: 'logout',
  positionals: [],
  doc: 'Sign out: remove the current service and its token from this machine',
  options: { revoke: { doc: 'Revoke the token first, so that it cannot be used any more' } },
  async run(args, screen) {
    const context = await currentContext(screen.env);
    if (!context) throw new UsageError('You are not signed in: no service is stored.');
    if (args.has('revoke')) {
      const client = clientOf({ ...context, tokenSource: `of the context ${context.name}` });
      const token = await ownToken(client, context.token);
      if (token) await client.call(operations['token.revoke'], { path: { id: token.id } });
    }
    await removeContext(context.name, screen.env);
    const revoked = args.has('revoke') ? ' Its token is revoked.' : '';
    await line(screen.out, `Signed out of ${escapeUnsafe(context.url)}.${revoked}`);
  },
};
