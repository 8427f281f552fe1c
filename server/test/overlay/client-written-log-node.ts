import { enableCompileCache } from 'node:module';

/** A node as main.ts starts it, that serves a log which clients write to. */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');
const { cups } = await import('./client-written-log.ts');

const { url } = await serve(await readConfig(), cups);
console.log(`Portreeve serves ${url}.`);
