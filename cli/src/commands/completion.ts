import type { Command } from '../command.ts';
import { completionScripts } from '../completion-scripts.ts';
import { UsageError } from '../usage-error.ts';

export const completion: Command = {
  name: 'completion',
  positionals: ['SHELL'],
  doc: 'Print the script that completes commands in bash, zsh or fish',
  about: [
    'bash: source <(portreeve completion bash)',
    'zsh:  portreeve completion zsh > "$fpath[1]/_portreeve"',
    'fish: portreeve completion fish > ~/.config/fish/completions/portreeve.fish',
  ],
  options: {},
  async run({ positionals: [shell] }, screen) {
    const script = Object.hasOwn(completionScripts, shell!) ? completionScripts[shell!] : undefined;
    if (!script) throw new UsageError(`There is a script for bash, zsh and fish, not for ${JSON.stringify(shell)}.`);
    await screen.out.write(script);
  },
};
