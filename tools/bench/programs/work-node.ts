import { readConfig } from '@portreeve/server/node/config.ts';
import { serve } from '@portreeve/server/node/serve.ts';
import { workOverlay } from '../work-overlay.ts';

/** Starts a node like main.ts, which also does the work that commits of the benchmark cause. */
await serve(await readConfig(), workOverlay);
process.on('disconnect', () => process.exit(0));
process.send!('ready');
