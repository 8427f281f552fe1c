import type { Command } from '../command.ts';
import { line } from '../output.ts';
import { UsageError } from '../usage-error.ts';

export const tokenCreate: Command = {
  name: 'token create',
  positionals: ['USER'],
  replacesVerb: 'with-argument',
  doc: 'Issue an API token for an account; it is printed once',
  about: ['Uses the database of this node. Without USER it calls the API and issues a token for yourself.'],
  options: {
    name: { value: 'NAME', doc: 'Name of the token (default: command line)' },
    days: { value: 'N', doc: 'Lifetime in days, 1 to 365 (default: 90)' },
  },
  async run(args, screen) {
    const expiresInDays = args.number('days') ?? 90;
    if (expiresInDays < 1 || expiresInDays > 365) throw new UsageError('--days takes a number from 1 to 365.');
    const { issueToken } = await import('@portreeve/server/auth/tokens.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { notFound } = await import('@portreeve/server/kernel/failure.ts');
    const { runOnce } = await import('@portreeve/server/node/run-once.ts');
    const userID = args.positionals[0]!;
    const { token } = await runOnce(await readConfig(), async (tx) => {
      const { rows } = await tx.client.query<{ id: number }>(
        'select id from user_account where lower(user_id) = lower($1)',
        [userID],
      );
      if (!rows[0]) throw notFound('account', userID);
      return issueToken(tx, rows[0].id, { name: args.text('name') ?? 'command line', expiresInDays });
    });
    await line(screen.out, String(token));
  },
};
