import { enableCompileCache } from 'node:module';

/** A node as main.ts starts it, that serves the overlay too. */
enableCompileCache();

const { readConfig } = await import('../config.ts');
const { serve } = await import('../serve.ts');
const { brewing } = await import('./brewing.ts');

const { url } = await serve(await readConfig(), brewing);
console.log(`Portreeve serves ${url}.`);
