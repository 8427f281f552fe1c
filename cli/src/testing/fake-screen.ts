import type { Pen, Screen } from '../output.ts';

export interface FakePen extends Pen {
  written: string;
}

/** A pen that stores its output; with a width it is a terminal. */
export function fakePen(width?: number): FakePen {
  return {
    written: '',
    isTerminal: width !== undefined,
    width,
    async write(text) {
      this.written += text;
    },
    style: (_style, text) => text,
  };
}

export interface FakeScreen extends Screen {
  out: FakePen;
  err: FakePen;
}

export const fakeScreen = (width?: number): FakeScreen => ({
  out: fakePen(width),
  err: fakePen(width),
  env: {},
  isInteractive: false,
});
