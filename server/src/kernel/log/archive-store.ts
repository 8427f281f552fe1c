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

/** The manifest of an archive. */
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
/** A row is far smaller: a file with longer lines is not an archive. */
const lineBytesMax = 1_048_576;
/** Maximum size of an unpacked archive, which no archive of this service exceeds. */
const inflatedBytesMax = 16 * 2 ** 30;
/**
 * Maximum ratio of the unpacked to the packed size: rows of a log, which all differ, reach about 30, and gzip can reach
 * 1,032.
 */
const inflationMax = 200;
/** Unpacked size that is always allowed, because files are read 64 KiB at a time. */
const inflatedBytesFree = 16 * 2 ** 20;

/** Reads a manifest that was sent or stored; unknown fields are refused. */
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

/** Returns a name such as `event-2026-01-31-L7`, made from known parts and never taken from a client. */
export const archiveName = (log: string, slice: string, landscape: number): string => `${log}-${slice}-L${landscape}`;

const nameForm = /^[a-z][a-z0-9_]*-\d{4}-\d{2}-\d{2}-L\d{1,16}$|^upload-[0-9a-f-]{36}$/;

/** Returns the first day of the slice of a manifest. */
export const sliceOf = ({ from: start }: Pick<Manifest, 'from'>): string => start.slice(0, 10);

/** Returns the first day after a slice. */
export function sliceEnd(width: Log['slice'], slice: string): string {
  const end = new Date(`${slice}T00:00:00Z`);
  if (width === 'month') end.setUTCMonth(end.getUTCMonth() + 1);
  else end.setUTCDate(end.getUTCDate() + (width === 'week' ? 7 : 1));
  return end.toISOString().slice(0, 10);
}

/** Stores archives in a folder that all nodes of a cell share. A file is complete or does not exist. */
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

  /** Returns a name for an upload; no part of it comes from the client. */
  newUpload(): string {
    return `upload-${randomUUID()}`;
  }

  /** Writes the rows of an archive: the file gets its name when all of it is on the disk. */
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
      const result = await write(file).finally(() => file.sync());
      await rename(part, path);
      const folder = await open(this.#folder);
      await folder.sync().finally(() => folder.close());
      return result;
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

  /** Renames an uploaded archive to its permanent name. */
  async rename(oldName: string, newName: string): Promise<void> {
    for (const ending of ['.ndjson.gz', '.manifest.json'])
      await rename(this.#path(oldName, ending), this.#path(newName, ending));
  }

  async remove(name: string): Promise<void> {
    for (const ending of ['.ndjson.gz', '.manifest.json']) await rm(this.#path(name, ending), { force: true });
  }

  /** Deletes incomplete files that are no longer written, and uploads that were not imported. */
  async sweep(olderThanMs: number): Promise<void> {
    const names = await readdir(this.#folder).catch(() => []);
    for (const name of names.filter((fileName) => /^\..*\.part$|^upload-/.test(fileName))) {
      const path = join(this.#folder, name);
      const fileStatus = await stat(path).catch(() => undefined);
      if (fileStatus && fileStatus.mtimeMs < olderThanMs) await rm(path, { force: true });
    }
  }
}

/** Returns the hash and size of a file, read from the disk. */
export async function hashFile(path: string): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path)) {
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Reads the lines of an archive, some at a time; the lines in memory and the unpacked size are bounded. */
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
