import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { migrationsFolder } from '@portreeve/server/node/migrate-database.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import { schemaDrift } from '@portreeve/server/test/surface/schema-drift.ts';
import { readCommand, refuse } from './command.ts';

/** Drafts the next migration. The draft is yours: read it and correct it. */

const usage = 'npm run migration';
const { positionals } = readCommand({
  usage,
  doc: 'Writes the next migration from what the declarations need and the migrations so far do not create.',
  takes: 'NAME',
});
const [subject] = positionals;
if (subject === undefined || positionals.length > 1 || !/^[a-z0-9-]+$/.test(subject))
  refuse({ usage }, 'Name the change in lower case, like npm run migration -- add-coffee-machine.');

const statements = await schemaDrift(modelFor(catalogue));
if (statements.length === 0) {
  console.log('The migrations already create what the declarations need.');
} else {
  // The time, not the next number: two branches would take the same one.
  const time = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 'YYYYMMDDhhmmss'.length);
  const file = join(migrationsFolder, `${time}-${subject}.sql`);
  await writeFile(file, `${statements.join('\n\n')}\n`);
  console.log(`Wrote ${file}: review it, and add what declarations cannot know (data, built-in records).`);
}
