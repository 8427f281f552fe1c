import type { Command } from '../command.ts';
import { line } from '../output.ts';

// Commands import the service when they run: help and completion are not to wait for it.

export const serve: Command = {
  name: 'serve',
  positionals: [],
  doc: 'Serve the API and work on jobs until told to stop',
  options: {},
  async run(_args, screen) {
    const { readConfig } = await import('@portreeve/server/config.ts');
    const { serve: start } = await import('@portreeve/server/serve.ts');
    const { url } = await start(await readConfig());
    await line(screen.out, `Portreeve serves ${url}`);
  },
};
