import { enableCompileCache } from 'node:module';

/** Starts a node like main.ts, which also serves the overlay. */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');
const { brewing } = await import('./job-on-create.ts');

const { url } = await serve(await readConfig(), brewing);
console.log(`Portreeve serves ${url}.`);
