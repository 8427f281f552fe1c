import { afterAll, beforeAll, describe } from 'vitest';
import type { Collection, Log } from '../../src/kernel/declare/declaration.ts';
import { openWorld } from '../world/open-world.ts';
import { testDeletion, testEnabling, testRanks, testReferences } from './checks/changes.ts';
import { testCounts, testFilters, testPaging } from './checks/lists.ts';
import { testKeys, testReadBack, testStaleVersions } from './checks/records.ts';
import { testAccess, testBounds, testDryRuns, testIdempotency, testRequests, testXml } from './checks/requests.ts';
import { testAuditRows, testEvents, testMonitors, testSecrets } from './checks/traces.ts';
import { type ConformanceOptions, type TestedDeclaration, Trial } from './checks/trial.ts';

/**
 * Adds the tests that follow from the declaration of a collection: its fields, their bounds, its operations. Called
 * inside a `describe`; a resource adds only its own tests.
 */
export function testCollection(declaration: Collection, options: ConformanceOptions): void {
  describe('as every collection', () => {
    const getTrial = trialOf(declaration, options);
    testAccess(getTrial, declaration);
    testBounds(getTrial, declaration);
    testRequests(getTrial, declaration);
    testReadBack(getTrial, declaration);
    testStaleVersions(getTrial, declaration);
    testKeys(getTrial, declaration);
    testPaging(getTrial);
    testCounts(getTrial, declaration);
    testFilters(getTrial, declaration);
    testDeletion(getTrial, declaration);
    testReferences(getTrial, declaration, options);
    testRanks(getTrial, declaration);
    testEnabling(getTrial, declaration);
    testSecrets(getTrial, declaration);
    testAuditRows(getTrial);
    testEvents(getTrial, declaration);
    testDryRuns(getTrial, declaration);
    testIdempotency(getTrial);
    testXml(getTrial, declaration);
    testMonitors(getTrial, declaration);
  });
}

/** Adds the same tests for a log that clients write to, except for tests of changes, which a log does not allow. */
export function testLog(declaration: Log, options: ConformanceOptions): void {
  describe('as every log', () => {
    const getTrial = trialOf(declaration, options);
    testAccess(getTrial, declaration);
    testRequests(getTrial, declaration);
    testPaging(getTrial);
    testCounts(getTrial, declaration);
    testFilters(getTrial, declaration);
    testDeletion(getTrial, declaration);
    testIdempotency(getTrial);
    testXml(getTrial, declaration);
    testMonitors(getTrial, declaration);
  });
}

/**
 * Opens a test world for the resource before the first test of the surrounding `describe` and closes it after the last.
 */
function trialOf(declaration: TestedDeclaration, options: ConformanceOptions): () => Trial {
  let trial: Trial;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const ownWorld = options.world ? undefined : await openWorld();
    close = ownWorld?.close;
    trial = new Trial(options.world ?? ownWorld!, declaration, options);
  });
  afterAll(async () => close?.());
  return () => trial;
}
