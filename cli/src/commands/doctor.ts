import type { Command } from '../command.ts';
import type { Finding } from '../finding.ts';
import { line, type Pen } from '../output.ts';
import { counted, escapedJson, escapeUnsafe } from '../text.ts';

export const doctor: Command = {
  name: 'doctor',
  positionals: [],
  doc: 'Check the requirements of this node, and suggest a fix for each problem',
  about: ['Reads the same configuration as serve. Changes nothing, and prints no secret.'],
  options: { json: { doc: 'Print JSON, for scripts' } },
  async run(args, screen) {
    const { examine } = await import('../doctor.ts');
    const findings = await examine(screen.env);
    const wrong = findings.filter(({ isOk }) => !isOk).length;
    if (args.has('json')) await line(screen.out, escapedJson(findings, 2));
    else for (const finding of findings) await printFinding(screen.out, finding);
    if (wrong > 0) {
      await line(screen.err, `${counted(wrong, 'problem')} found.`);
      process.exitCode = 1;
    }
  },
};

async function printFinding(pen: Pen, { isOk, what, fix }: Finding): Promise<void> {
  await line(pen, `${isOk ? pen.style('green', 'ok    ') : pen.style('red', 'not ok')}  ${escapeUnsafe(what)}`);
  if (fix) await line(pen, `        ${pen.style('dim', `→ ${escapeUnsafe(fix)}`)}`);
}
