import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { assert, describe, expect, test } from 'vitest';
import { searchedGroups } from '../../src/search/searched-groups.ts';
import { advice, difference } from './sql/difference.ts';
import { observeSql, pinnedFolder } from './sql/pin.ts';

const mappingTakesEffect = (what: string): string[] =>
  Array<string>(2).fill(
    `POST /api/v2/user/admin-profile/mapping/${what}: user/user-account/user-account.service.ts forgetCredentials`,
  );

/** Who asks the same twice in one call, and may. A new one here shows in review. */
const askedTwice = [
  // Which passwords stay is decided by what is stored; then it is changed as any other record.
  'POST /api/v2/device/snmp/{id}: kernel/read/reader.ts fetchVersioned',
  'POST /api/v2/device/pingable/{id}: kernel/read/reader.ts fetchVersioned',
  // What the causes make of the health is looked at before and after.
  'POST /api/v2/host/{id}/set-health: host/host/health.ts healthOf',
  // The change reads the host before it, and what is told of it after.
  'POST /api/v2/host/register-as-device: kernel/read/reader.ts fetchVersioned',
  // Each adapter is saved by itself, and each time its host is locked and gets a version unless this transaction gave it one.
  ...[
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/write/records.ts nextId',
    'kernel/write/references.ts resolveReference',
    'host/adapter/saved-adapter.ts recordAdapterChange',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
  ].map((sender) => `POST /api/v2/host/with-adapters: ${sender}`),
  // As above; and the record is read for the audit row, and for the version that is returned.
  ...[
    'kernel/write/save-checks.ts lockRows',
    'kernel/read/reader.ts fetchVersioned',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/read/reader.ts fetchVersioned',
  ].map((sender) => `POST /api/v2/host/with-adapters/{id}: ${sender}`),
  // Both rules that are swapped are checked, each by itself.
  'POST /api/v2/host/device-profiling-rule/swap-rule-ranks: host/device-profiling-rule/device-profiling-rule.rules.ts keepAboveCatchAll',
  // A policy names its role and its configuration, and an update of both names them again.
  'POST /api/v2/policy/access: kernel/write/references.ts resolveReference',
  'POST /api/v2/policy/authentication: kernel/write/references.ts resolveReference',
  // Each record that is missing is created by itself.
  'POST /api/v2/policy/logical-network/add-predefined-network-access: kernel/write/records.ts nextId',
  'POST /api/v2/policy/logical-network/add-predefined-network-access: kernel/write/records.ts nextId',
  // Each value that goes is one of an element, which is looked up by itself.
  'POST /api/v2/policy/logical-network-configuration/delete: node/contexts.ts query',
  'POST /api/v2/policy/logical-network-configuration/delete: node/contexts.ts query',
  'POST /api/v2/policy/logical-network-configuration/element/properties/{deviceID}: node/contexts.ts query',
  // As above; and the members of both roles need another look.
  'POST /api/v2/policy/role/rank/swap: policy/role/role.rules.ts keepAboveDefault',
  'POST /api/v2/policy/role/rank/swap: policy/role/role.service.ts markRolesDue',
  // The type of each event is looked at by itself.
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  // Each mapping that goes or moves takes effect by itself.
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('rank/swap'),
  // Each entry that goes takes the lock of the dictionary, which the first has taken.
  'POST /api/v2/radius/dictionary/delete: node/contexts.ts query',
  'POST /api/v2/radius/dictionary/delete: node/contexts.ts query',
  // The action looks at the task first; the change that writes the note locks it, and looks again.
  'POST /api/v2/system/background-task/{id}/complete: kernel/read/reader.ts fetchVersioned',
  // Each group of the list is taken out of the nesting by itself, and its parents are read before and after.
  ...['markClaimsDue', 'markRolesDue', 'unnest', 'markClaimsDue', 'markRolesDue', 'unnest'].map(
    (name) =>
      `POST /api/v2/system/group/delete: ${name === 'unnest' ? 'system/group/nesting.ts' : 'policy/role/role.service.ts'} ${name}`,
  ),
  'POST /api/v2/system/group/add-to-parents: policy/role/role.service.ts markClaimsDue',
  'POST /api/v2/system/group/add-to-parents: policy/role/role.service.ts markRolesDue',
  'POST /api/v2/system/group/add-to-parents: system/group/nested-groups.ts parentsOf',
  'POST /api/v2/system/group/{groupID}/manages: system/group/managing.ts read',
  // An attempt is stored before its password is checked, in a transaction of its own: each begins and ends with the same packet.
  ...['login', 'login', 'password', 'password', 'password'].map(
    (name) => `POST /auth/${name}: kernel/database/packet.ts runPacket`,
  ),
  // Each group is searched within its own time, in a transaction that begins and ends as that of the first.
  ...Array.from({ length: searchedGroups.length - 1 }, () => ['packet.ts runPacket', 'transaction.ts readWithin'])
    .flat()
    .map((sender) => `GET /search: kernel/database/${sender}`),
];

describe('what the operations ask of PostgreSQL', async () => {
  const { files, observed } = await observeSql();

  test('is what was reviewed', async () => {
    const stored = await readdir(pinnedFolder);
    expect(stored.filter((name) => !(name in files))).toEqual([]);
    const differing: string[] = [];
    for (const [name, wanted] of Object.entries(files)) {
      const text = stored.includes(name) ? await readFile(join(pinnedFolder, name), 'utf8') : '';
      if (text !== wanted) differing.push(`${name}\n${difference(text, wanted)}`);
    }
    assert(differing.length === 0, advice(differing.join('\n\n')));
  });

  test('is asked once: no call sends the same statement with the same values again', () => {
    const repeated = observed.flatMap(({ operation, statements }) =>
      statements.filter(({ again }) => again).map(({ sender }) => `${operation}: ${sender}`),
    );
    expect(repeated).toEqual(askedTwice);
  });
});
