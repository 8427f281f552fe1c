import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { Config } from '@portreeve/server/node/config.ts';
import { type Finding, notOk, ok } from './finding.ts';

const freeBytesMin = 1_073_741_824;

/** Checks the folder that archives of the logs are written to: without it slices stay, and fill the database. */
export async function examineArchives({ archiveFolder: folder }: Pick<Config, 'archiveFolder'>): Promise<Finding> {
  const what = `archive folder: ${folder}`;
  const user = userInfo().username;
  const make = `Create it for the user that runs serve: install -d -m 700 -o ${user} ${folder}`;
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    const why = stats.code === 'ENOENT' ? 'does not exist' : `cannot be opened by ${user} (${stats.code})`;
    return notOk(`${what} ${why}`, make);
  }
  if (!stats.isDirectory())
    return notOk(`${what} is not a folder`, 'Set PORTREEVE_ARCHIVE_FOLDER to a folder of its own.');
  if (!(await isWritable(folder)))
    return notOk(`${what} is not writable by ${user}`, `Give it to the user that runs serve: chown ${user} ${folder}`);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const words = `${what} is writable, ${(free / freeBytesMin).toFixed(1)} GiB free`;
  return free >= freeBytesMin
    ? ok(words)
    : notOk(words, 'Free some space or enlarge the disk: logs that cannot be archived stay in the database.');
}

const isWritable = (folder: string): Promise<boolean> =>
  access(folder, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );

const run = promisify(execFile);

/** Why a program could not be run; undefined: it could. */
async function faultOf(program: string, args: readonly string[], path: string): Promise<string | undefined> {
  try {
    await run(program, args, { timeout: 5_000, env: { PATH: path } });
    return undefined;
  } catch (error) {
    const { code, stderr } = error as { code?: string | number; stderr?: string };
    if (code === 'ENOENT') return 'not installed';
    return `does not work: ${stderr?.trim().split('\n')[0] || `it ended with ${code}`}`;
  }
}

/** Checks the programs that a node runs, as far as its configuration needs them. */
export async function examinePrograms(
  { radiusFolder }: Pick<Config, 'radiusFolder'>,
  path: string,
): Promise<Finding[]> {
  const [fping, nmap, radclient] = await Promise.all([
    // To this machine alone: it shows that the program may send at all.
    faultOf('fping', ['-a', '-t', '500', '-r', '1', '127.0.0.1'], path),
    faultOf('nmap', ['--version'], path),
    faultOf('/usr/bin/radclient', ['-v'], path),
  ]);
  const findings = [
    fping === undefined
      ? ok('fping: can ping')
      : notOk(
          `fping: ${fping}`,
          'Devices are polled with it: apt install fping; as another user than root it needs setcap cap_net_raw+ep /usr/bin/fping.',
        ),
    nmap === undefined ? ok('nmap: installed') : ok(`nmap: ${nmap}`, 'Only network scans need it: apt install nmap'),
  ];
  if (radiusFolder === '') return findings;
  const client =
    radclient === undefined
      ? ok('radclient: installed')
      : notOk(`radclient: ${radclient}`, 'portreeve radius test needs it: apt install freeradius-utils');
  return [...findings, client];
}
