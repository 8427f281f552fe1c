import { enableCompileCache } from 'node:module';

// Types are stripped and code is compiled once a release, not once a start.
enableCompileCache();

const { readConfig } = await import('./node/config.ts');
const { serve } = await import('./node/serve.ts');

const { url } = await serve(await readConfig());
console.log(
  `Portreeve serves ${url} (ready after ${Math.round(performance.now())} ms, ${Math.round(process.memoryUsage.rss() / 1_048_576)} MB).`,
);
