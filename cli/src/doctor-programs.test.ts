import { chmod, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { examineArchives, examinePrograms } from './doctor-programs.ts';

describe('the doctor', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-doctor-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test('finds an archive folder that can be written to, with its free space', async () => {
    expect(await examineArchives({ archiveFolder: folder })).toMatchObject({
      what: expect.stringMatching(/ is writable, \d+\.\d GiB free$/),
    });
  });

  test('finds an archive folder that is missing, is a file or is not writable, each with a fix', async () => {
    expect(await examineArchives({ archiveFolder: '/proc/nope' })).toMatchObject({
      isOk: false,
      what: 'archive folder: /proc/nope does not exist',
      fix: expect.stringContaining('install -d -m 700'),
    });
    const file = join(folder, 'file');
    await writeFile(file, '');
    expect(await examineArchives({ archiveFolder: file })).toMatchObject({
      isOk: false,
      what: `archive folder: ${file} is not a folder`,
    });
    // /proc has no free space, and only root can write there.
    expect(await examineArchives({ archiveFolder: '/proc' })).toMatchObject({
      isOk: false,
      what: expect.stringMatching(/ is not writable by \S+$|, 0\.0 GiB free$/),
      fix: expect.stringMatching(/chown|Free some space/),
    });
  });

  test('finds programs that are not installed, where they are needed', async () => {
    const none = await examinePrograms({ radiusFolder: '' }, folder);
    expect(none).toMatchObject([
      { isOk: false, what: 'fping: not installed', fix: expect.stringContaining('apt install fping') },
      { isOk: true, what: 'nmap: not installed', fix: expect.stringContaining('apt install nmap') },
    ]);
    const withRadius = await examinePrograms({ radiusFolder: '/run/radius' }, folder);
    expect(withRadius.map(({ what }) => what.split(':')[0])).toEqual(['fping', 'nmap', 'radclient']);
  });

  test('finds a program that is installed and does not work', async () => {
    const broken = join(folder, 'fping');
    await writeFile(broken, '#!/bin/sh\necho "fping: socket: Operation not permitted" >&2\nexit 4\n');
    await chmod(broken, 0o755);
    await symlink('/bin/true', join(folder, 'nmap'));
    expect(await examinePrograms({ radiusFolder: '' }, folder)).toMatchObject([
      {
        isOk: false,
        what: 'fping: does not work: fping: socket: Operation not permitted',
        fix: expect.stringContaining('setcap'),
      },
      { isOk: true, what: 'nmap: installed' },
    ]);
  });
});
