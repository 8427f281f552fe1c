import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { remoteFailed, remoteTimeout, unavailable } from '../../kernel/failure.ts';
import { type DictionaryAttribute, readDictionary } from './dictionary.ts';

/** FreeRADIUS as it is installed on this node. */
export interface RadiusEngine {
  /** Returns all attributes of the engine's own dictionary; undefined if it is not installed. */
  dictionary(): Promise<DictionaryAttribute[] | undefined>;
  /** Returns the engine's error about lines that are added to its dictionary; undefined if they are valid. */
  validate(lines: readonly string[]): Promise<string | undefined>;
}

const program = '/usr/sbin/freeradius';
const dictionaryFile = '/usr/share/freeradius/dictionary';
const secondsMax = 10;
const outputBytesMax = 1_048_576;

/** The smallest configuration with which the engine reads a dictionary and reports success. It opens no socket. */
const checkedConfiguration = `name = check
modules {
}
server check {
  listen {
    type = status
    ipaddr = 127.0.0.1
    port = 18129
  }
}
client check {
  ipaddr = 127.0.0.1
  secret = unused
}
`;

export function freeRadius(): RadiusEngine {
  return {
    async dictionary() {
      try {
        return await readDictionary(dictionaryFile, async (includedName, includingFile) => {
          const name = isAbsolute(includedName) ? includedName : join(dirname(includingFile), includedName);
          return { name, text: await readFile(name, 'utf8') };
        });
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },

    async validate(lines) {
      // The engine requires a folder that only its owner can access.
      const folder = await mkdtemp(join(tmpdir(), 'portreeve-radius-check-'));
      try {
        await writeFile(join(folder, 'radiusd.conf'), checkedConfiguration, { mode: 0o600 });
        const dictionary = [`$INCLUDE ${dictionaryFile}`, ...lines, ''].join('\n');
        await writeFile(join(folder, 'dictionary'), dictionary, { mode: 0o600 });
        return complaintIn(await check(folder));
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  };
}

/** Returns the output if the engine refused the configuration; undefined otherwise. */
function check(folder: string): Promise<string | undefined> {
  return new Promise((done, fail) => {
    execFile(
      program,
      ['-C', '-l', 'stdout', '-d', folder],
      // The environment of the node contains database URLs, which the engine must not get.
      {
        timeout: secondsMax * 1_000,
        killSignal: 'SIGKILL',
        maxBuffer: outputBytesMax,
        env: { PATH: process.env.PATH },
      },
      (error, stdout) => {
        if (!error) return done(undefined);
        if (error.code === 'ENOENT')
          return fail(unavailable('FreeRADIUS is not installed on this node, and nothing else can check this.', error));
        if (error.killed) return fail(remoteTimeout(`FreeRADIUS did not end its check in ${secondsMax} s.`, error));
        done(stdout);
      },
    );
  });
}

/** Returns the engine's message without time and folder. */
function complaintIn(output: string | undefined): string | undefined {
  if (output === undefined) return undefined;
  const [, words] = /: Error: Errors reading \S+: dict_init: \S*(\[\d+\]: .*)$/m.exec(output) ?? [];
  if (words === undefined) throw remoteFailed(`FreeRADIUS could not check this: ${output.trim().slice(-300)}`);
  return words.replace(/^\[\d+\]: /, '');
}
