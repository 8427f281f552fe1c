import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

/**
 * Where the product asks for the time of day, which an operator or NTP may step back or forth, with the number of places and the
 * reason. Throttles, caches, back-offs and durations take `performance.now()`, leases and expiry the database's `now()`.
 */
const places: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'cli/src/doctor.ts': [2, 'compares the time of day of this machine with that of the database'],
  'cli/src/shown-value.ts': [1, 'how long ago something was, for people'],
  'sdk/src/runtime.ts': [1, 'Retry-After may be a date, which is a time of day'],
  'server/src/device/discovery/discovery.rules.ts': [1, 'a time that is stored and shown: when the run was asked for'],
  'server/src/device/l3-scan/scan-devices.ts': [1, 'a time that is stored and shown: when the scan ended'],
  'server/src/host/adapter/adapter.rules.ts': [1, 'a time that is stored and shown: when the adapter was created'],
  'server/src/host/host/saved-host.ts': [2, 'times that are stored and shown: creation and registration of the host'],
  'server/src/kernel/http/server.ts': [1, 'what "now" and "-24h" in a filter mean'],
  'server/src/kernel/log/archives.ts': [
    2,
    'a time that is stored and shown in the manifest; the age of leftover files, whose times the file system sets',
  ],
  'server/src/kernel/log/import.ts': [1, 'a manifest must not cover days to come'],
  'server/src/kernel/log/remove.ts': [1, 'what "now" means to the reader of records; no filter is given'],
  'server/src/logging/audit-log/audit-log.jobs.ts': [1, 'which calendar days are over and can be sealed'],
  'server/src/node/contexts.ts': [2, 'what "now" in a filter means to jobs'],
  'server/src/node/start-service.ts': [2, 'when a device was contacted, and when the RADIUS engine was started, shown'],
  'server/src/system/background-task/background-task.actions.ts': [
    1,
    'a time that is stored and shown: end of the task',
  ],
  'server/src/system/background-task/background-task.rules.ts': [
    1,
    'a time that is stored and shown: when it was made',
  ],
  'server/src/system/background-task/background-task.service.ts': [2, 'times that are stored and shown: begin and end'],
};

const root = fileURLToPath(new URL('../../..', import.meta.url));
const timeOfDay = /\bDate\.now\b|\bnew Date\(\)|(?<!new )\bDate\(\)/g;

/** How often each file of the product asks for the time of day. */
const found = Object.fromEntries(
  ['server/src', 'cli/src', 'sdk/src']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) => join(root, folder, path)),
    )
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .map((path) => [relative(root, path), readFileSync(path, 'utf8').match(timeOfDay)?.length ?? 0] as const)
    .filter(([, count]) => count > 0),
);

describe('the time of day', () => {
  test('is asked for in the listed places only, and in each of them', () => {
    const listed = Object.fromEntries(Object.entries(places).map(([path, [count]]) => [path, count]));
    expect(
      found,
      'take performance.now() for a duration and the database for a lease; else list the place with its reason',
    ).toEqual(listed);
  });

  test('every place has its reason', () => {
    for (const [path, [, reason]] of Object.entries(places)) expect(reason.length, path).toBeGreaterThan(20);
  });
});
