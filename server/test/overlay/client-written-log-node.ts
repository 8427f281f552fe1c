import { enableCompileCache } from 'node:module';

/** Starts a node like main.ts, which also serves a log that clients write to. */
enableCompileCache();

const { readConfig } = await import('../../src/node/config.ts');
const { serve } = await import('../../src/node/serve.ts');
const { cups } = await import('./client-written-log.ts');

const { url } = await serve(await readConfig(), cups);
console.log(`Portreeve serves ${url}.`);
