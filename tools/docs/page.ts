/** A shell command in a page, and its output. */
export interface Step {
  command: string;
  /** Lines that the page shows below the command. */
  expected: readonly string[];
  /** The line of the command in the page. */
  line: number;
}

/** A fenced block of a page that a reader would type. */
export interface Block {
  line: number;
  /** The heading above it. */
  section: string;
  steps: readonly Step[];
  /** True if the output of the commands is on the page: in a block of `console`, not in one of `sh`. */
  isCompared: boolean;
  /** Why it does not run in a demonstration; null if it does. */
  skipped: string | null;
}

/** The first line of a block that does not run in a demonstration; a reader sees it too. */
const skipMark = /^# Not in the demo: (.+)$/;

/**
 * Returns the shell blocks of a Markdown page: ```sh has only commands, ```console has `$ ` before each and its output
 * below.
 */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  let section = '';
  for (let index = 0; index < lines.length; index += 1) {
    section = /^#+ (.+)$/.exec(lines[index]!)?.[1] ?? section;
    const [, indent = '', language] = /^( *)```(\w*)\s*$/.exec(lines[index]!) ?? [];
    if (language === undefined) continue;
    const first = index + 1;
    for (index = first; index < lines.length && lines[index]!.trim() !== '```'; ) index += 1;
    if (language !== 'sh' && language !== 'console') continue;
    const content = lines
      .slice(first, index)
      .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line));
    blocks.push({ section, ...blockOf(content, first + 1, language === 'console') });
  }
  return blocks;
}

function blockOf(content: readonly string[], line: number, isCompared: boolean): Omit<Block, 'section'> {
  const skipped = skipMark.exec(content[0] ?? '')?.[1] ?? null;
  if (!isCompared) return { line, isCompared, skipped, steps: [{ command: content.join('\n'), expected: [], line }] };
  const steps: { command: string; expected: string[]; line: number }[] = [];
  for (const [index, text] of content.entries()) {
    const last = steps.at(-1);
    if (text.startsWith('$ ')) steps.push({ command: text.slice(2), expected: [], line: line + index });
    else if (!last) {
      if (skipped === null || index > 0)
        throw new Error(`line ${line + index}: this block of console begins with no command`);
    } else if (isContinued(last) && /^> ?/.test(text)) last.command += `\n${text.replace(/^> ?/, '')}`;
    else if (isContinued(last) && last.command.endsWith('\\')) last.command += `\n${text}`;
    else last.expected.push(text);
  }
  return { line, isCompared, skipped, steps };
}

const isContinued = ({ expected }: { expected: readonly string[] }): boolean => expected.length === 0;
