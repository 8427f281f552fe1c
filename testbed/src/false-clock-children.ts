import { ChildProcess } from 'node:child_process';

/*
 * Loaded into each Node process with a simulated clock: children with an environment of their own (a cell, the CLI,
 * FreeRADIUS) get the clock too. fping does not: it has capabilities, so the linker refuses the library and reports
 * that on stderr, where its results are read from.
 */

interface Start {
  file: string;
  envPairs?: string[];
}
interface Starting {
  spawn(this: ChildProcess, options: Start): unknown;
}

const names = ['LD_PRELOAD', 'FALSE_CLOCK', 'NODE_OPTIONS'];
const prototype = ChildProcess.prototype as unknown as Starting;
const { spawn } = prototype;

prototype.spawn = function (options) {
  const otherPairs = (options.envPairs ?? []).filter((pair) => !names.some((name) => pair.startsWith(`${name}=`)));
  const clockNames = /(^|\/)fping$/.test(options.file) ? [] : names.filter((name) => process.env[name]);
  return spawn.call(this, {
    ...options,
    envPairs: [...otherPairs, ...clockNames.map((name) => `${name}=${process.env[name]}`)],
  });
};
