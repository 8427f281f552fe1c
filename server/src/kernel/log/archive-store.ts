import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { Log } from '../declare/declaration.ts';
import { integerMax, type ObjectShape } from '../declare/shape.ts';
import type { Fault } from '../failure.ts';
import { rejected } from '../failure.ts';
import { checkValue } from '../format/check-value.ts';

/** Manifest of an archive. */
export interface Manifest {
  log: string;
  landscape: number;
  from: string;
  to: string;
  rows: number;
  minID: number;
  maxID: number;
  bytes: number;
  sha256: string;
  schemaVersion: number;
  productVersion: string;
  createdAt: string;
}

const id = { kind: 'integer', min: 0, max: integerMax } as const;
const manifestShape: ObjectShape = {
  kind: 'object',
  properties: {
    log: { kind: 'text', max: 60, pattern: { source: '^[a-z][a-z0-9_]*$', words: 'the name of a log' } },
    landscape: id,
    from: { kind: 'time' },
    to: { kind: 'time' },
    rows: id,
    minID: id,
    maxID: id,
    bytes: id,
    sha256: { kind: 'text', max: 64, pattern: { source: '^[0-9a-f]{64}$', words: '64 hexadecimal digits' } },
    schemaVersion: { kind: 'integer', min: 1, max: 10_000 },
    productVersion: { kind: 'text', max: 60 },
    createdAt: { kind: 'time' },
  },
};

export const manifestBytesMax = 65_536;
/** A row is far smaller; what has no line ends is no archive. */
const lineBytesMax = 1_048_576;
/** What a file may become when it is read: a small file that holds more is none of ours. */
const inflatedBytesMax = 16 * 2 ** 30;
/** How many times its size a file may become: rows of a log, which all differ, become some 30 times smaller, and gzip can do 1,032. */
const inflationMax = 200;
/** What is allowed whatever was read, as files are read 64 KiB at a time. */
const inflatedBytesFree = 16 * 2 ** 20;

/** A manifest as it was sent or stored; anything else than its fields is refused. */
export function readManifest(text: string): Manifest {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw rejected('The manifest is not valid JSON.');
  }
  const faults: Fault[] = [];
  const shape = { ...manifestShape, required: Object.keys(manifestShape.properties) };
  const manifest = checkValue(shape, value, '', faults);
  if (faults.length > 0) throw rejected(`The manifest is invalid: ${faults[0]!.message}`);
  return manifest as Manifest;
}

/** `event-2026-01-31-L7`: made from parts that are known, never taken from a client. */
export const archiveName = (log: string, slice: string, landscape: number): string => `${log}-${slice}-L${landscape}`;

const nameForm = /^[a-z][a-z0-9_]*-\d{4}-\d{2}-\d{2}-L\d{1,16}$|^upload-[0-9a-f-]{36}$/;

/** The first day of the slice, from what a manifest says of its time. */
export const sliceOf = ({ from }: Pick<Manifest, 'from'>): string => from.slice(0, 10);

/** The first day behind a slice. */
export function sliceEnd(width: Log['slice'], slice: string): string {
  const end = new Date(`${slice}T00:00:00Z`);
  if (width === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (width === 'week' ? 7 : 1));
  return end.toISOString().slice(0, 10);
}

/** Where archives lie: a folder that all nodes of a cell see. A file is there whole or not at all. */
export class ArchiveStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  dataPath(name: string): string {
    return this.#path(name, '.ndjson.gz');
  }

  #path(name: string, ending: string): string {
    if (!nameForm.test(name)) throw new Error(`${JSON.stringify(name)} is not the name of an archive`);
    return join(this.#folder, `${name}${ending}`);
  }

  /** A name for what a client sends: nothing of it is the client's. */
  newUpload(): string {
    return `upload-${randomUUID()}`;
  }

  /** Writes the rows of an archive: the file appears under its name when all of it is on the disk. */
  writeData<T>(name: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
    return this.#write(this.dataPath(name), write);
  }

  async writeManifest(name: string, manifest: Manifest): Promise<void> {
    const text = `${JSON.stringify(manifest, null, 2)}\n`;
    await this.#write(this.#path(name, '.manifest.json'), (file) => file.writeFile(text));
  }

  async #write<T>(path: string, write: (file: FileHandle) => Promise<T>): Promise<T> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const part = join(this.#folder, `.${randomUUID()}.part`);
    const file = await open(part, 'wx', 0o600);
    try {
      const written = await write(file).finally(() => file.sync());
      await rename(part, path);
      const folder = await open(this.#folder);
      await folder.sync().finally(() => folder.close());
      return written;
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    } finally {
      await file.close();
    }
  }

  async readManifest(name: string): Promise<Manifest> {
    return readManifest(await readFile(this.#path(name, '.manifest.json'), 'utf8'));
  }

  async has(name: string): Promise<boolean> {
    const sizes = await Promise.allSettled([stat(this.dataPath(name)), stat(this.#path(name, '.manifest.json'))]);
    return sizes.every(({ status }) => status === 'fulfilled');
  }

  /** Gives an uploaded archive the name it is known by. */
  async rename(from: string, to: string): Promise<void> {
    for (const ending of ['.ndjson.gz', '.manifest.json'])
      await rename(this.#path(from, ending), this.#path(to, ending));
  }

  async remove(name: string): Promise<void> {
    for (const ending of ['.ndjson.gz', '.manifest.json']) await rm(this.#path(name, ending), { force: true });
  }

  /** Removes parts of files that nobody writes any more, and uploads that nobody imported. */
  async sweep(olderThanMs: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((each) => /^\..*\.part$|^upload-/.test(each))) {
      const path = join(this.#folder, name);
      const found = await stat(path).catch(() => undefined);
      if (found && found.mtimeMs < olderThanMs) await rm(path, { force: true });
    }
  }
}

/** The hash and size of a file, read from the disk. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** The lines of an archive, some at a time; never more of them in memory, nor more altogether, than an archive can have. */
export async function* linesOf(path: string): AsyncGenerator<string[]> {
  const source = createReadStream(path);
  const inflating = createGunzip({ chunkSize: 65_536 });
  pipeline(source, inflating, () => undefined);
  let rest: Buffer = Buffer.alloc(0);
  let inflated = 0;
  try {
    for await (const piece of inflating) {
      const chunk = piece as Buffer;
      inflated += chunk.length;
      if (inflated > Math.min(inflatedBytesMax, inflatedBytesFree + inflationMax * source.bytesRead))
        throw rejected('The archive exceeds the size limit.');
      const end = chunk.lastIndexOf(10);
      if (end < 0) rest = Buffer.concat([rest, chunk]);
      else {
        yield Buffer.concat([rest, chunk.subarray(0, end)])
          .toString('utf8')
          .split('\n');
        rest = chunk.subarray(end + 1);
      }
      if (rest.length > lineBytesMax) throw rejected('The archive contains a line that exceeds the length limit.');
    }
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('Z_')) throw rejected('The archive is not a complete gzip file.');
    throw error;
  } finally {
    source.destroy();
    inflating.destroy();
  }
  if (rest.length > 0) throw rejected('The archive ends in the middle of a line.');
}
