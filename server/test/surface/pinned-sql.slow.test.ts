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

/**
 * Operations that send the same statement twice in one call, with the reason. The test compares the list exactly, so a
 * new one is visible in review.
 */
const repeatedStatements = [
  // The stored passwords decide which of them stay; then the record is changed like any other.
  'POST /api/v2/device/snmp/{id}: kernel/read/reader.ts fetchVersioned',
  'POST /api/v2/device/pingable/{id}: kernel/read/reader.ts fetchVersioned',
  // The health is computed before and after the change of its causes.
  'POST /api/v2/host/{id}/set-health: host/host/health.ts healthOf',
  // The change reads the host before and after it, for the event.
  'POST /api/v2/host/register-as-device: kernel/read/reader.ts fetchVersioned',
  // Each adapter is saved separately, and each time its host is locked and gets a new version unless this transaction
  // already changed it.
  ...[
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/write/records.ts nextId',
    'kernel/write/references.ts resolveReference',
    'host/adapter/saved-adapter.ts recordAdapterChange',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
  ].map((sender) => `POST /api/v2/host/with-adapters: ${sender}`),
  // As above; in addition the record is read for the audit row, and for the returned version.
  ...[
    'kernel/write/save-checks.ts lockRows',
    'kernel/read/reader.ts fetchVersioned',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/write/save-checks.ts lockRows',
    'kernel/write/records.ts touch',
    'kernel/read/reader.ts fetchVersioned',
  ].map((sender) => `POST /api/v2/host/with-adapters/{id}: ${sender}`),
  // Both swapped rules are checked, each separately.
  'POST /api/v2/host/device-profiling-rule/swap-rule-ranks: host/device-profiling-rule/device-profiling-rule.rules.ts keepAboveCatchAll',
  // A policy refers to its role and its configuration, and so does an update of both.
  'POST /api/v2/policy/access: kernel/write/references.ts resolveReference',
  'POST /api/v2/policy/authentication: kernel/write/references.ts resolveReference',
  // Each missing record is created separately.
  'POST /api/v2/policy/logical-network/add-predefined-network-access: kernel/write/records.ts nextId',
  'POST /api/v2/policy/logical-network/add-predefined-network-access: kernel/write/records.ts nextId',
  // Each deleted value belongs to an element, which is loaded separately.
  'POST /api/v2/policy/logical-network-configuration/delete: node/contexts.ts query',
  'POST /api/v2/policy/logical-network-configuration/delete: node/contexts.ts query',
  'POST /api/v2/policy/logical-network-configuration/element/properties/{deviceID}: node/contexts.ts query',
  // As above; in addition the members of both roles are computed again.
  'POST /api/v2/policy/role/rank/swap: policy/role/role.rules.ts keepAboveDefault',
  'POST /api/v2/policy/role/rank/swap: policy/role/role.service.ts markRolesDue',
  // The type of each event is checked separately.
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  'POST /api/v2/logging/event/delete: logging/event/event.rules.ts beforeDelete',
  // Each mapping that is deleted or moved takes effect separately.
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('delete'),
  ...mappingTakesEffect('rank/swap'),
  // Each deleted entry acquires the lock of the dictionary, which the first one already holds.
  'POST /api/v2/radius/dictionary/delete: node/contexts.ts query',
  'POST /api/v2/radius/dictionary/delete: node/contexts.ts query',
  // The action reads the task first; the change that writes the message locks it and reads it again.
  'POST /api/v2/system/background-task/{id}/complete: kernel/read/reader.ts fetchVersioned',
  // Each group of the list is removed from the nesting separately, and its parents are read before and after.
  ...['markClaimsDue', 'markRolesDue', 'unnest', 'markClaimsDue', 'markRolesDue', 'unnest'].map(
    (name) =>
      `POST /api/v2/system/group/delete: ${name === 'unnest' ? 'system/group/nesting.ts' : 'policy/role/role.service.ts'} ${name}`,
  ),
  'POST /api/v2/system/group/add-to-parents: policy/role/role.service.ts markClaimsDue',
  'POST /api/v2/system/group/add-to-parents: policy/role/role.service.ts markRolesDue',
  'POST /api/v2/system/group/add-to-parents: system/group/nested-groups.ts parentsOf',
  'POST /api/v2/system/group/{groupID}/manages: system/group/managing.ts loadManagedIds',
  // An attempt is stored before its password is checked, in a transaction of its own: each begins and ends with the
  // same packet.
  ...['login', 'login', 'password', 'password', 'password'].map(
    (name) => `POST /auth/${name}: kernel/database/packet.ts runPacket`,
  ),
  // Each resource is searched within its own time limit, in a transaction that begins and ends like the first.
  ...Array.from({ length: searchedGroups.length - 1 }, () => ['packet.ts runPacket', 'transaction.ts readWithin'])
    .flat()
    .map((sender) => `GET /search: kernel/database/${sender}`),
];

describe('the SQL of the operations', async () => {
  const { files, observed } = await observeSql();

  test('equals the reviewed pins', async () => {
    const stored = await readdir(pinnedFolder);
    expect(stored.filter((name) => !(name in files))).toEqual([]);
    const differing: string[] = [];
    for (const [name, expectedText] of Object.entries(files)) {
      const text = stored.includes(name) ? await readFile(join(pinnedFolder, name), 'utf8') : '';
      if (text !== expectedText) differing.push(`${name}\n${difference(text, expectedText)}`);
    }
    assert(differing.length === 0, advice(differing.join('\n\n')));
  });

  test('has no statement that one call sends twice with the same values', () => {
    const repeated = observed.flatMap(({ operation, statements }) =>
      statements.filter(({ again }) => again).map(({ sender }) => `${operation}: ${sender}`),
    );
    expect(repeated).toEqual(repeatedStatements);
  });
});
