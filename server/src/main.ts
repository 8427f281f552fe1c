import { enableCompileCache } from 'node:module';

// Caches stripped and compiled code, so that only the first start of a release compiles it.
enableCompileCache();

const { readConfig } = await import('./node/config.ts');
const { serve } = await import('./node/serve.ts');

const { url } = await serve(await readConfig());
console.log(
  `Portreeve serves ${url} (ready after ${Math.round(performance.now())} ms, ${Math.round(process.memoryUsage.rss() / 1_048_576)} MB).`,
);
