import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import type { Command } from '../command.ts';
import { line } from '../output.ts';

export const keysCreate: Command = {
  name: 'keys create',
  positionals: ['FILE'],
  doc: 'Create a master key for the secrets in the database; store a copy of it elsewhere',
  options: {},
  async run({ positionals: [file] }, screen) {
    // Never overwrite an existing key: the secrets encrypted with it would be lost.
    await writeFile(file!, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
    await line(
      screen.out,
      `Wrote ${file}. Store a copy elsewhere: without this key the secrets in the database cannot be decrypted.`,
    );
  },
};
