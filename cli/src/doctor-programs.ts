import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { promisify } from 'node:util';
import type { Config } from '@portreeve/server/node/config.ts';
import { type Finding, notOk, ok } from './finding.ts';

const freeBytesMin = 1_073_741_824;

/** Checks the archive folder of the logs: without it, log rows stay in the database and fill it. */
export async function examineArchives({ archiveFolder: folder }: Pick<Config, 'archiveFolder'>): Promise<Finding> {
  const what = `archive folder: ${folder}`;
  const user = userInfo().username;
  const make = `Create it for the user that runs serve: install -d -m 700 -o ${user} ${folder}`;
  const stats = await stat(folder).catch((error: NodeJS.ErrnoException) => error);
  if (stats instanceof Error) {
    const why = stats.code === 'ENOENT' ? 'does not exist' : `cannot be opened by ${user} (${stats.code})`;
    return notOk(`${what} ${why}`, make);
  }
  if (!stats.isDirectory()) return notOk(`${what} is not a folder`, 'Set PORTREEVE_ARCHIVE_FOLDER to a folder.');
  if (!(await isWritable(folder)))
    return notOk(
      `${what} is not writable by ${user}`,
      `Change its owner to the user that runs serve: chown ${user} ${folder}`,
    );
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

/** Returns why a program cannot be run; undefined if it can. */
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

/** Checks the programs that the configuration of the node requires. */
export async function examinePrograms(
  { radiusFolder }: Pick<Config, 'radiusFolder'>,
  path: string,
): Promise<Finding[]> {
  const [fping, nmap, radclient] = await Promise.all([
    // Pings only this machine, which shows that the program has the right to send.
    faultOf('fping', ['-a', '-t', '500', '-r', '1', '127.0.0.1'], path),
    faultOf('nmap', ['--version'], path),
    faultOf('/usr/bin/radclient', ['-v'], path),
  ]);
  const findings = [
    fping === undefined
      ? ok('fping: can ping')
      : notOk(
          `fping: ${fping}`,
          'Required to poll devices: apt install fping. For users other than root: setcap cap_net_raw+ep /usr/bin/fping.',
        ),
    nmap === undefined
      ? ok('nmap: installed')
      : ok(`nmap: ${nmap}`, 'Required only for network scans: apt install nmap'),
  ];
  if (radiusFolder === '') return findings;
  const client =
    radclient === undefined
      ? ok('radclient: installed')
      : notOk(`radclient: ${radclient}`, 'Required by portreeve radius test: apt install freeradius-utils');
  return [...findings, client];
}
