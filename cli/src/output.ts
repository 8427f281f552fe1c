import { once } from 'node:events';
import { styleText } from 'node:util';

type Style = Parameters<typeof styleText>[0];

/** One output stream and its terminal properties. */
export interface Pen {
  write(text: string): Promise<void>;
  /** The output is a terminal. */
  isTerminal: boolean;
  /** Width of the terminal in cells. */
  width: number | undefined;
  style(style: Style, text: string): string;
}

/** The output of a command: results go to `out`, messages and errors to `err`. */
export interface Screen {
  out: Pen;
  err: Pen;
  env: NodeJS.ProcessEnv;
  /** Input and error output are terminals, so that the user can be prompted. */
  isInteractive: boolean;
}

const widthMin = 40;

function penOn(stream: NodeJS.WriteStream, env: NodeJS.ProcessEnv): Pen {
  const isTerminal = stream.isTTY === true;
  // https://no-color.org: any non-empty value.
  const isColoured = isTerminal && !env.NO_COLOR && env.TERM !== 'dumb';
  return {
    isTerminal,
    get width() {
      return isTerminal ? Math.max(widthMin, stream.columns || 80) : undefined;
    },
    async write(text) {
      if (!stream.write(text)) await once(stream, 'drain');
    },
    style: (style, text) => (isColoured && text !== '' ? styleText(style, text, { validateStream: false }) : text),
  };
}

export function screenOf(process: NodeJS.Process): Screen {
  return {
    out: penOn(process.stdout, process.env),
    err: penOn(process.stderr, process.env),
    env: process.env,
    isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  };
}

export const line = (pen: Pen, text = ''): Promise<void> => pen.write(`${text}\n`);
