import type { Command } from '../command.ts';
import { completionScripts } from '../completion-scripts.ts';
import { UsageError } from '../usage-error.ts';

export const completion: Command = {
  name: 'completion',
  positionals: ['SHELL'],
  doc: 'Print the completion script for bash, zsh or fish',
  about: [
    'bash: source <(portreeve completion bash)',
    'zsh:  portreeve completion zsh > "$fpath[1]/_portreeve"',
    'fish: portreeve completion fish > ~/.config/fish/completions/portreeve.fish',
  ],
  options: {},
  async run({ positionals: [shell] }, screen) {
    const script = Object.hasOwn(completionScripts, shell!) ? completionScripts[shell!] : undefined;
    if (!script)
      throw new UsageError(`There is no completion script for ${JSON.stringify(shell)}. Use bash, zsh or fish.`);
    await screen.out.write(script);
  },
};
