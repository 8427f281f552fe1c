import type { Command } from '../command.ts';
import { line } from '../output.ts';

export const migrate: Command = {
  name: 'migrate',
  positionals: [],
  doc: 'Create the database if it does not exist, and migrate it to this release',
  options: {},
  async run(_args, screen) {
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { ensureDatabase, migrateDatabase } = await import('@portreeve/server/node/migrate-database.ts');
    const { ownerUrl } = await readConfig();
    await ensureDatabase(ownerUrl);
    const applied = await migrateDatabase(ownerUrl);
    await line(screen.out, applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
  },
};
