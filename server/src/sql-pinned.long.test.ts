import { readFile } from 'node:fs/promises';
import { assert, describe, expect, test } from 'vitest';
import { advice, difference } from './testing/sql/difference.ts';
import { observeSql, pinnedFile } from './testing/sql/pin.ts';

const mappingTakesEffect = (what: string): string[] =>
  ['auth/epoch.rules.ts forgetCredentials', 'auth/epoch.rules.ts forgetCredentials', 'kernel/jobs.ts executeSql'].map(
    (sender) => `POST /api/v2/user/admin-profile/mapping/${what}: ${sender}`,
  );

/** Who asks the same twice in one call, and may. A new one here shows in review. */
const askedTwice = [
  // Which passwords stay is decided by what is stored; then it is changed as any other record.
  'POST /api/v2/device/snmp/{id}: kernel/read/list.ts fetchVersioned',
  'POST /api/v2/device/pingable/{id}: kernel/read/list.ts fetchVersioned',
  // What the causes make of the health is looked at before and after.
  'POST /api/v2/host/{id}/set-health: host/host/health.ts healthOf',
  // The change reads the host before it, and what is told of it after.
  'POST /api/v2/host/register-as-device: kernel/read/list.ts fetchVersioned',
  // Each adapter is made by itself, and all of the same host.
  'POST /api/v2/host/with-adapters: kernel/write/records.ts nextId',
  'POST /api/v2/host/with-adapters: kernel/write/references.ts resolveReference',
  // Both rules that are swapped are checked, each by itself.
  'POST /api/v2/host/device-profiling-rule/swap-rule-ranks: host/device-profiling-rule/device-profiling-rule.rules.ts keepAboveCatchAll',
  // As above; and the members of both roles need another look.
  'POST /api/v2/policy/role/rank/swap: policy/role/role.rules.ts keepAboveDefault',
  'POST /api/v2/policy/role/rank/swap: policy/role/assign-roles.ts noteRolesDue',
  // The type of each event is looked at by itself.
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  // Each mapping that goes or moves takes effect by itself.
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('rank/swap'),
  // The action looks at the task first; the change that writes the note locks it, and looks again.
  'POST /api/v2/system/background-task/{id}/complete: kernel/read/list.ts fetchVersioned',
  // Each group of the list is taken out of the nesting by itself, and its parents are read before and after.
  ...['noteClaimsDue', 'noteRolesDue', 'unnest', 'noteClaimsDue', 'noteRolesDue', 'unnest'].map(
    (name) =>
      `POST /api/v2/system/group/delete: ${name === 'unnest' ? 'system/group/nesting.ts' : 'policy/role/assign-roles.ts'} ${name}`,
  ),
  'POST /api/v2/system/group/add-to-parents: policy/role/assign-roles.ts noteClaimsDue',
  'POST /api/v2/system/group/add-to-parents: policy/role/assign-roles.ts noteRolesDue',
  'POST /api/v2/system/group/add-to-parents: system/group/nested-groups.ts parentsOf',
  'POST /api/v2/system/group/{groupID}/manages: system/group/managing.ts read',
];

describe('what the operations ask of PostgreSQL', async () => {
  const { text, observed } = await observeSql();

  test('is what was reviewed', async () => {
    const differing = difference(await readFile(pinnedFile, 'utf8'), text);
    assert(differing === '', advice(differing));
  });

  test('is asked once: no call sends the same statement with the same values again', () => {
    const repeated = observed.flatMap(({ operation, statements }) =>
      statements.filter(({ again }) => again).map(({ sender }) => `${operation}: ${sender}`),
    );
    expect(repeated).toEqual(askedTwice);
  });
});
