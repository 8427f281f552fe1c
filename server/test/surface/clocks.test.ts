import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Files of the product that read the time of day, which an operator or NTP may set back or forward, with the number of
 * reads and the reason. Throttles, caches, back-offs and durations use `performance.now()`, leases and expiry the
 * database's `now()`.
 */
const places: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'cli/src/doctor.ts': [2, 'compares the time of day of this machine with that of the database'],
  'cli/src/shown-value.ts': [1, 'how long ago something happened, for people'],
  'sdk/src/runtime.ts': [1, 'Retry-After may be a date, which is a time of day'],
  'server/src/device/discovery/discovery.rules.ts': [1, 'a time that is stored and shown: when the run was requested'],
  'server/src/device/l3-scan/scan-devices.ts': [1, 'a time that is stored and shown: when the scan ended'],
  'server/src/host/adapter/adapter.rules.ts': [1, 'a time that is stored and shown: when the adapter was created'],
  'server/src/host/host/saved-host.ts': [2, 'times that are stored and shown: creation and registration of the host'],
  'server/src/kernel/http/server.ts': [1, 'what "now" and "-24h" in a filter mean'],
  'server/src/kernel/log/archives.ts': [
    2,
    'a time that is stored and shown in the manifest; the age of leftover files, whose times the file system sets',
  ],
  'server/src/kernel/log/import.ts': [1, 'a manifest must not cover days to come'],
  'server/src/kernel/log/remove.ts': [1, 'what "now" means to the reader of records; no filter is used'],
  'server/src/logging/audit-log/audit-log.jobs.ts': [1, 'which calendar days are over and can be sealed'],
  'server/src/node/contexts.ts': [3, 'what "now" in a filter means to jobs'],
  'server/src/node/start-service.ts': [
    2,
    'when a device was contacted, and when the RADIUS engine was started, as shown to users',
  ],
  'server/src/system/background-task/background-task.actions.ts': [
    1,
    'a time that is stored and shown: end of the task',
  ],
  'server/src/system/background-task/background-task.rules.ts': [
    1,
    'a time that is stored and shown: when the task was created',
  ],
  'server/src/system/background-task/background-task.service.ts': [2, 'times that are stored and shown: start and end'],
};

const root = fileURLToPath(new URL('../../..', import.meta.url));
const timeOfDay = /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)/g;

/** How often each file of the product reads the time of day. */
const readsByFile = Object.fromEntries(
  ['server/src', 'cli/src', 'sdk/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8').match(timeOfDay)?.length ?? 0] as const)
    .filter(([, count]) => count > 0),
);

describe('the time of day', () => {
  test('is read in the listed files only, as often as listed', () => {
    const listed = Object.fromEntries(Object.entries(places).map(([path, [count]]) => [path, count]));
    expect(
      readsByFile,
      'use performance.now() for a duration and the database for a lease; otherwise list the file with its reason',
    ).toEqual(listed);
  });

  test('has a reason for every file that reads it', () => {
    for (const [path, [, reason]] of Object.entries(places)) expect(reason.length, path).toBeGreaterThan(20);
  });
});
