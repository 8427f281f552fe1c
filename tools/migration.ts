import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { catalogue } from '@portreeve/server/catalogue.ts';
import { migrationsFolder } from '@portreeve/server/migrate-database.ts';
import { modelFor } from '@portreeve/server/service.ts';
import { schemaDrift } from '@portreeve/server/testing/schema-drift.ts';

/** Writes the next migration from what the declarations want and the migrations so far do not give. Then it is yours: read and mend it. */

const [subject] = process.argv.slice(2);
if (!subject || !/^[a-z0-9-]+$/.test(subject)) {
  console.error('Say what it does: npm run migration -- add-the-coffee-machine');
  process.exit(1);
}

const statements = await schemaDrift(modelFor(catalogue));
if (statements.length === 0) {
  console.log('The migrations already give what the declarations want.');
} else {
  const numbers = (await readdir(migrationsFolder)).map((name) => Number(name.slice(0, 4)));
  const file = join(migrationsFolder, `${String(Math.max(0, ...numbers) + 1).padStart(4, '0')}-${subject}.sql`);
  await writeFile(file, `${statements.join('\n\n')}\n`);
  console.log(`Wrote ${file}: read it, mend it, and add what declarations cannot know (data, built-in records).`);
}
