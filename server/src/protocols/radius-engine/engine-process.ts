import { execFile, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import {
  appendFile,
  chmod,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EngineStatistics, readStatistics, statisticsRequest } from '../radius/engine-statistics.ts';
import { authenticityOf, decode, type Packet, type Request, statusServer } from '../radius/packet.ts';

const program = '/usr/sbin/freeradius';
const administration = '/usr/sbin/radmin';
const checkSecondsMax = 30;
const commandSecondsMax = 5;
const answerMs = 2_000;
const outputBytesMax = 1_048_576;
const logBytesMax = 2_097_152;
/** Generations that are kept, for a rollback. */
const generationsKept = 5;
/** Commands passed to one call of the program. */
const commandsMax = 500;
const lookupsMax = 100_000;

/** The logs of the engine, its output, and notes of the supervisor. */
const logFiles = { logged: 'radius.log', printed: 'process.log', noted: 'supervisor.log' } as const;

/** Text of each log. */
export type EngineLogs = Record<keyof typeof logFiles, string>;

/** The engine logs this for each command of the node. */
const isOurQuestion = /socket command file/;

/** The engine logs this at most once a second for all senders together. */
const badSignature = /Received packet from (\S+) with invalid Message-Authenticator/g;
const lookedAtMax = 65_536;

/** Status of a running engine. */
export interface EngineFacts {
  version: string;
  /** Milliseconds since 1970; null: it reported no time. */
  upSinceMs: number | null;
}

/**
 * FreeRADIUS of this node, in its own folder. It continues to run when the node ends, and the next process of the node
 * finds it there.
 */
export class EngineProcess {
  readonly #folder: string;
  /** Offset up to which the log was searched; undefined before the first search: older lines are skipped. */
  #lookedTo: number | undefined;
  /**
   * Time at which the engine looked up each access device. The engine's own list omits devices that it looked up twice.
   */
  readonly #lookups = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the folder of a generation's files. */
  folderOf(generation: number): string {
    return join(this.#folder, String(generation));
  }

  async write(generation: number, files: ReadonlyMap<string, string>): Promise<void> {
    const folder = this.folderOf(generation);
    await rm(folder, { recursive: true, force: true });
    await mkdir(join(folder, 'run'), { recursive: true, mode: 0o700 });
    for (const [name, text] of files) {
      await mkdir(dirname(join(folder, name)), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, name), text, { mode: 0o600 });
    }
  }

  /** Reads one file of a generation; undefined if there is none. */
  read(generation: number, file: string): Promise<string | undefined> {
    return readFile(join(this.folderOf(generation), file), 'utf8').catch(() => undefined);
  }

  /** Returns the engine's error about the files of a generation; undefined if they are valid. */
  async check(generation: number): Promise<string | undefined> {
    const { isDone, output } = await run(
      program,
      ['-C', '-l', 'stdout', '-d', this.folderOf(generation)],
      checkSecondsMax,
    );
    return isDone ? undefined : lastWords(output);
  }

  /** Returns the generation that an engine of this folder runs or has run last. */
  async current(): Promise<number | undefined> {
    const link = await readlink(join(this.#folder, 'current')).catch(() => undefined);
    return link === undefined ? undefined : Number(link);
  }

  /** Returns the running generation and its process id. */
  async running(): Promise<{ pid: number; generation: number } | undefined> {
    const generation = await this.current();
    if (generation === undefined) return undefined;
    const pid = Number(await readFile(this.#pidFile(generation), 'utf8').catch(() => 'none'));
    if (!Number.isInteger(pid)) return undefined;
    // Another process may have the process id by now.
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return command.split('\0').includes(this.folderOf(generation)) ? { pid, generation } : undefined;
  }

  /**
   * Stops the running engine and starts one with another generation. Two engines cannot use one port, so there are no
   * replies for a moment.
   */
  async start(generation: number): Promise<void> {
    await this.stop();
    this.#lookups.clear();
    const nextLink = join(this.#folder, 'next');
    await rm(nextLink, { force: true });
    await symlink(String(generation), nextLink);
    await rename(nextLink, join(this.#folder, 'current'));
    await rm(this.#pidFile(generation), { force: true });
    const log = await open(join(this.#folder, logFiles.printed), 'a', 0o600);
    try {
      const pid = await started(['-l', join(this.#folder, logFiles.logged), '-d', this.folderOf(generation)], log);
      // The engine writes the same file a moment later. Without it a stop in between would find no process, and the
      // next engine would find its ports in use.
      await writeFile(this.#pidFile(generation), String(pid), { mode: 0o600 });
    } finally {
      await log.close();
    }
  }

  /** Kills the engine: a request to end takes seconds and loses the same requests. Returns when its ports are free. */
  async stop(): Promise<void> {
    for (let engine = await this.running(); engine; engine = await this.running()) {
      try {
        process.kill(engine.pid, 'SIGKILL');
      } catch {
        return;
      }
      await exited(engine.pid);
    }
  }

  /** Stops the engine and deletes its generations. */
  async forget(): Promise<void> {
    await this.stop();
    await rm(join(this.#folder, 'current'), { force: true });
  }

  /**
   * Returns the milliseconds until a reply to Status-Server; undefined without a reply. The listener and its secret are
   * defined in the generation's files.
   */
  async answers(port: number, secret: string, waitMs = answerMs): Promise<number | undefined> {
    const startedMs = performance.now();
    const reply = await exchange(port, statusServer({ identifier: 1, secret }), { secret, waitMs });
    return reply && performance.now() - startedMs;
  }

  /** Returns the counters of the engine since its start; undefined without a reply. */
  async statistics(port: number, secret: string): Promise<EngineStatistics | undefined> {
    const request = statusServer({ identifier: 2, secret, attributes: [statisticsRequest] });
    const reply = await exchange(port, request, { secret, waitMs: answerMs });
    return reply && readStatistics(reply);
  }

  async facts(): Promise<EngineFacts | undefined> {
    const { isDone, output } = await this.#administer('show uptime', 'show version');
    if (!isDone) return undefined;
    // `Thu Nov 19 15:47:17 2026`, in the time zone of the engine, which is UTC.
    const upSinceMs = Date.parse(`${/Up since (.+)/.exec(output)?.[1]} UTC`);
    return {
      upSinceMs: Number.isNaN(upSinceMs) ? null : upSinceMs,
      version: /Version (\S+?),/.exec(output)?.[1] ?? '',
    };
  }

  /** Records that the engine has looked up an access device, which it caches from then on. */
  noteLookup(address: string): void {
    this.#lookups.delete(address);
    this.#lookups.set(address, performance.now());
    if (this.#lookups.size > lookupsMax) this.#lookups.delete(this.#lookups.keys().next().value!);
  }

  /** Returns the number of cached access devices, if the engine removes each one `cacheSeconds` after its lookup. */
  countCached(cacheSeconds: number): number {
    const sinceMs = performance.now() - cacheSeconds * 1_000;
    return [...this.#lookups.values()].filter((lookedUpMs) => lookedUpMs > sinceMs).length;
  }

  /**
   * Removes clients from the engine's cache: their next packets are looked up again. Returns how many were cached. The
   * engine's own list omits clients that it looked up twice, so the list of this class is used.
   */
  async evict(addresses: readonly string[]): Promise<number> {
    let evicted = 0;
    for (let start = 0; start < addresses.length; start += commandsMax) {
      const some = addresses.slice(start, start + commandsMax);
      for (const address of some) this.#lookups.delete(address);
      const output = await this.#command(some.map((address) => `del client ipaddr ${address}`));
      if (output !== undefined) evicted += some.length - (output.match(/^ERROR/gm) ?? []).length;
    }
    return evicted;
  }

  /** Returns the last lines of each log. */
  async logs(lines: number): Promise<EngineLogs> {
    const last = async (file: string) => {
      const text = await readFile(join(this.#folder, file), 'utf8').catch(() => '');
      const lastLines = text
        .trimEnd()
        .split('\n')
        .filter((line) => !isOurQuestion.test(line));
      return lastLines.slice(-lines).join('\n');
    };
    return {
      logged: await last(logFiles.logged),
      printed: await last(logFiles.printed),
      noted: await last(logFiles.noted),
    };
  }

  /** Returns the addresses whose packets the engine has dropped since the last call because of another secret. */
  async badlySigned(): Promise<string[]> {
    const log = await open(join(this.#folder, logFiles.logged), 'r').catch(() => undefined);
    if (!log) return [];
    try {
      const { size } = await log.stat();
      const start = Math.max(this.#lookedTo ?? size, size - lookedAtMax);
      // A file that is shorter than before was truncated. Incomplete lines are read next time.
      const { buffer, bytesRead } = await log.read(Buffer.alloc(Math.max(0, size - start)), { position: start });
      const end = buffer.subarray(0, bytesRead).lastIndexOf('\n') + 1;
      this.#lookedTo = Math.min(start, size) + end;
      const matches = buffer.toString('latin1', 0, end).matchAll(badSignature);
      return [...new Set([...matches].map(([, address]) => address!))];
    } finally {
      await log.close();
    }
  }

  /** Adds a line to the supervisor's log. */
  async note(line: string): Promise<void> {
    await appendFile(join(this.#folder, logFiles.noted), `${line}\n`, { mode: 0o600 });
  }

  /** Limits the size of the folder: deletes old generations except the running one, and shortens the logs. */
  async tidy(): Promise<void> {
    const names = await readdir(this.#folder);
    const current = await this.current();
    const generations = names.filter((name) => /^\d+$/.test(name)).map(Number);
    const old = generations
      .filter((generation) => generation !== current)
      .sort((a, b) => b - a)
      .slice(generationsKept - 1);
    for (const generation of old) await rm(this.folderOf(generation), { recursive: true, force: true });
    for (const file of Object.values(logFiles)) {
      const { size } = await stat(join(this.#folder, file)).catch(() => ({ size: 0 }));
      if (size > logBytesMax) await keepLastHalf(join(this.#folder, file));
    }
  }

  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    // An existing folder may be readable for others.
    await chmod(this.#folder, 0o700);
  }

  #pidFile(generation: number): string {
    return join(this.folderOf(generation), 'run', 'radiusd.pid');
  }

  /** Undefined if no engine runs. */
  async #controlSocket(): Promise<string | undefined> {
    const engine = await this.running();
    return engine && join(this.folderOf(engine.generation), 'run', 'control.sock');
  }

  /**
   * Sends several commands and returns the output; a refused command does not stop the others. Undefined if no engine
   * runs.
   */
  async #command(commands: readonly string[]): Promise<string | undefined> {
    const socket = await this.#controlSocket();
    if (socket === undefined) return undefined;
    return (await run(administration, ['-q', '-f', socket], commandSecondsMax, `${commands.join('\n')}\n`)).output;
  }

  async #administer(...commands: string[]) {
    const socket = await this.#controlSocket();
    if (socket === undefined) return { isDone: false, output: '' };
    return run(administration, ['-f', socket, ...commands.flatMap((command) => ['-e', command])], commandSecondsMax);
  }
}

/** The engine continues to append to the same file. */
async function keepLastHalf(file: string): Promise<void> {
  const text = await readFile(file, 'utf8');
  await truncate(file);
  await appendFile(file, text.slice(text.indexOf('\n', text.length / 2) + 1));
}

/** The engine gets neither database URLs nor keys of the node; TZ=UTC, because it logs local time. */
const environment = { PATH: process.env.PATH, TZ: 'UTC' };

async function started(options: readonly string[], log: FileHandle): Promise<number> {
  const child = spawn(program, ['-f', '-P', ...options], {
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
    env: environment,
  });
  await new Promise<void>((done, fail) => {
    child.once('spawn', done);
    child.once('error', fail);
  });
  child.on('error', () => undefined);
  child.unref();
  return child.pid!;
}

const run = (command: string, args: readonly string[], secondsMax: number, input = '') =>
  new Promise<{ isDone: boolean; output: string }>((done) => {
    const child = execFile(
      command,
      args,
      { timeout: secondsMax * 1_000, killSignal: 'SIGKILL', maxBuffer: outputBytesMax, env: environment },
      (error, stdout, stderr) => done({ isDone: !error, output: `${stdout}${stderr}` || String(error?.message ?? '') }),
    );
    child.stdin!.on('error', () => undefined).end(input);
  });

/** Sends a request to loopback, once, and returns the authentic reply; undefined if there is none in time. */
async function exchange(
  port: number,
  request: Request,
  { secret, waitMs }: { secret: string; waitMs: number },
): Promise<Packet | undefined> {
  const socket = createSocket('udp4');
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((done) => {
      timer = setTimeout(() => done(undefined), waitMs);
      socket.on('error', () => done(undefined));
      socket.on('message', (bytes) => {
        const reply = authenticReply(bytes, request, secret);
        if (reply) done(reply);
      });
      socket.connect(port, '127.0.0.1', () => socket.send(request.bytes));
    });
  } finally {
    clearTimeout(timer);
    socket.close();
  }
}

function authenticReply(bytes: Buffer, request: Request, secret: string): Packet | undefined {
  try {
    const reply = decode(bytes);
    return authenticityOf(reply, request, secret) === 'forged' ? undefined : reply;
  } catch {
    return undefined;
  }
}

const exitMs = 10_000;

/**
 * Waits until a killed process has exited. Its command line is empty before its sockets are closed; a process that
 * only waits for its parent (state Z) has closed them.
 */
async function exited(pid: number): Promise<void> {
  for (const begunMs = performance.now(); performance.now() - begunMs < exitMs; await sleep(5)) {
    const state = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    if (state === undefined || /\) [ZX] /.test(state)) return;
  }
  throw new Error(`The RADIUS engine (process ${pid}) was killed and did not end within ${exitMs / 1_000} s.`);
}

const linesShown = 5;

/** Returns the last lines of the output, without times. */
const lastWords = (output: string): string =>
  output
    .trim()
    .split('\n')
    .slice(-linesShown)
    .map((line) => line.replace(/^\w{3} \w{3} .{16} : /, ''))
    .join('\n');
