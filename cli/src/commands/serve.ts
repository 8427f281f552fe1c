import type { Command } from '../command.ts';
import { line } from '../output.ts';

// Commands import the service only when they run, so that help and completion stay fast.

export const serve: Command = {
  name: 'serve',
  positionals: [],
  doc: 'Serve the API and run jobs until stopped',
  options: {},
  async run(_args, screen) {
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const { serve: start } = await import('@portreeve/server/node/serve.ts');
    const { url } = await start(await readConfig());
    await line(screen.out, `Portreeve serves ${url}`);
  },
};
