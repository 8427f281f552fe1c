import { fileURLToPath } from 'node:url';
import { ensureKeyFile, ensurePostgres, postgresFolder } from '@portreeve/testbed/postgres.ts';
import { migratedDatabase } from '../world/databases.ts';

/*
 * Runs with a simulated clock: starts the cluster that tests find in this temporary folder, and creates the database
 * that they clone.
 */

const folder = postgresFolder(fileURLToPath(new URL('../../..', import.meta.url)));
const postgres = await ensurePostgres(folder);
await ensureKeyFile(folder);
await (await migratedDatabase()).drop();
console.log(postgres.port);
