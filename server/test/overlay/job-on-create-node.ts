import { enableCompileCache } from 'node:module';

/** A node as main.ts starts it, that serves the overlay too. */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');
const { brewing } = await import('./job-on-create.ts');

const { url } = await serve(await readConfig(), brewing);
console.log(`Portreeve serves ${url}.`);
