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
 * Gives a collection the tests that follow from its declaration: which fields it has, how they are bounded, which operations it serves.
 * Called inside a `describe`; a group adds only what is its own.
 */
export function testCollection(declaration: Collection, options: ConformanceOptions): void {
  describe('as every collection', () => {
    const of = trialOf(declaration, options);
    testAccess(of, declaration);
    testBounds(of, declaration);
    testRequests(of, declaration);
    testReadBack(of, declaration);
    testStaleVersions(of, declaration);
    testKeys(of, declaration);
    testPaging(of);
    testCounts(of, declaration);
    testFilters(of, declaration);
    testDeletion(of, declaration);
    testReferences(of, declaration, options);
    testRanks(of, declaration);
    testEnabling(of, declaration);
    testSecrets(of, declaration);
    testAuditRows(of);
    testEvents(of, declaration);
    testDryRuns(of, declaration);
    testIdempotency(of);
    testXml(of, declaration);
    testMonitors(of, declaration);
  });
}

/** The same for a log that takes rows from clients: what collections have but rows that never change have not is left out. */
export function testLog(declaration: Log, options: ConformanceOptions): void {
  describe('as every log', () => {
    const of = trialOf(declaration, options);
    testAccess(of, declaration);
    testRequests(of, declaration);
    testPaging(of);
    testCounts(of, declaration);
    testFilters(of, declaration);
    testDeletion(of, declaration);
    testIdempotency(of);
    testXml(of, declaration);
    testMonitors(of, declaration);
  });
}

/** The group in a world, from the first test of the surrounding `describe` to its last. */
function trialOf(declaration: TestedDeclaration, options: ConformanceOptions): () => Trial {
  let trial: Trial;
  let close: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const own = options.world ? undefined : await openWorld();
    close = own?.close;
    trial = new Trial(options.world ?? own!, declaration, options);
  });
  afterAll(async () => close?.());
  return () => trial;
}
