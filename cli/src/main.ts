import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';
import { createAdministrator } from '@portreeve/server/auth/account.ts';
import { issueToken } from '@portreeve/server/auth/tokens.ts';
import { readConfig } from '@portreeve/server/config.ts';
import { Failure } from '@portreeve/server/kernel/failure.ts';
import { ensureDatabase, migrateDatabase } from '@portreeve/server/migrate-database.ts';
import { onDatabase } from '@portreeve/server/on-database.ts';
import { serve } from '@portreeve/server/serve.ts';

/** The command line: what is done on the machine of a node, beside the API. */

interface Command {
  usage: string;
  doc: string;
  run(args: string[]): Promise<void>;
}

const commands: Readonly<Record<string, Command>> = {
  serve: {
    usage: 'serve',
    doc: 'Serve the API and work on jobs until told to stop',
    async run() {
      const { url } = await serve(await readConfig());
      console.log(`Portreeve serves ${url}`);
    },
  },
  migrate: {
    usage: 'migrate',
    doc: 'Create the database if need be, and bring it forward to this release',
    async run() {
      const { ownerUrl } = await readConfig();
      await ensureDatabase(ownerUrl);
      const applied = await migrateDatabase(ownerUrl);
      console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
    },
  },
  'keys create': {
    usage: 'keys create FILE',
    doc: 'Make a master key for the secrets in the database; keep a copy of it elsewhere',
    async run([file]) {
      if (!file) throw new Failure('invalid', 'Say where the key goes: portreeve keys create FILE');
      await writeFile(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
      console.log(`Wrote ${file}. Without it no secret in the database can be read.`);
    },
  },
  'admin create': {
    usage: 'admin create USER [--profile NAME]',
    doc: 'Make an administrator with a local password, asked for or read from standard input',
    async run(args) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { profile: { type: 'string', default: 'System Administrator' } },
      });
      const [userID] = positionals;
      if (!userID) throw new Failure('invalid', 'Say who: portreeve admin create USER');
      const password = await readPassword(`Password for ${userID}: `);
      await onDatabase(await readConfig(), (tx) =>
        createAdministrator(tx, { userID, password, profile: values.profile }),
      );
      console.log(`${userID} can sign in as ${values.profile}.`);
    },
  },
  'token create': {
    usage: 'token create USER [--name NAME] [--days N]',
    doc: 'Issue an API token for an account; its text is printed once',
    async run(args) {
      const { values, positionals } = parseArgs({
        args,
        allowPositionals: true,
        options: { name: { type: 'string', default: 'command line' }, days: { type: 'string', default: '90' } },
      });
      const [userID] = positionals;
      if (!userID) throw new Failure('invalid', 'Say for whom: portreeve token create USER');
      const expiresInDays = Number(values.days);
      if (!Number.isInteger(expiresInDays) || expiresInDays < 1 || expiresInDays > 365)
        throw new Failure('invalid', '--days takes a number from 1 to 365.');
      const { token } = await onDatabase(await readConfig(), async (tx) => {
        const { rows } = await tx.client.query<{ id: number }>(
          'select id from user_account where lower(user_id) = lower($1)',
          [userID],
        );
        if (!rows[0]) throw new Failure('not-found', `There is no account ${userID}.`);
        return issueToken(tx, rows[0].id, { name: values.name, expiresInDays });
      });
      console.log(String(token));
    },
  },
};

/** From a person without echo, or from a pipe. */
async function readPassword(prompt: string): Promise<string> {
  if (!process.stdin.isTTY) {
    const lines = createInterface({ input: process.stdin });
    for await (const line of lines) return line;
    throw new Failure('invalid', 'No password on standard input.');
  }
  process.stdout.write(prompt);
  const terminal = createInterface({ input: process.stdin, terminal: true });
  const password = await terminal.question('');
  terminal.close();
  return password;
}

function help(): void {
  const width = Math.max(...Object.values(commands).map(({ usage }) => usage.length));
  console.log('portreeve: the command line of the Portreeve service\n');
  for (const { usage, doc } of Object.values(commands)) console.log(`  portreeve ${usage.padEnd(width)}  ${doc}`);
}

const [first = '', second = '', ...rest] = process.argv.slice(2);
const command = commands[`${first} ${second}`] ?? commands[first];
if (!command) {
  help();
  process.exitCode = first === '' || first === 'help' || first === '--help' ? 0 : 2;
} else {
  try {
    await command.run(commands[`${first} ${second}`] ? rest : process.argv.slice(3));
  } catch (error) {
    // A sentence for people; what is not a Failure is a bug and keeps its stack.
    if (!(error instanceof Failure)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
