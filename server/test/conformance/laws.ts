import { afterAll, beforeAll, describe } from 'vitest';
import type { Collection, Log } from '../../src/kernel/declare/declaration.ts';
import { openWorld } from '../world/open-world.ts';
import { deletionLaws, enablingLaws, rankLaws, referenceLaws } from './laws/changes.ts';
import { countLaws, filterLaws, pagingLaws } from './laws/lists.ts';
import { keyLaws, readBackLaws, staleLaws } from './laws/records.ts';
import { accessLaws, boundLaws, dryRunLaws, idempotencyLaws, requestLaws, xmlLaws } from './laws/requests.ts';
import { auditLaws, eventLaws, monitorLaws, secretLaws } from './laws/traces.ts';
import { type Lawful, type LawOptions, Trial } from './laws/trial.ts';

/**
 * Gives a collection the tests that follow from its declaration: which fields it has, how they are bounded, which operations it serves.
 * Called inside a `describe`; a group adds only what is its own.
 */
export function collectionLaws(declaration: Collection, options: LawOptions): void {
  describe('as every collection', () => {
    const of = trialOf(declaration, options);
    accessLaws(of, declaration);
    boundLaws(of, declaration);
    requestLaws(of, declaration);
    readBackLaws(of, declaration);
    staleLaws(of, declaration);
    keyLaws(of, declaration);
    pagingLaws(of);
    countLaws(of, declaration);
    filterLaws(of, declaration);
    deletionLaws(of, declaration);
    referenceLaws(of, declaration, options);
    rankLaws(of, declaration);
    enablingLaws(of, declaration);
    secretLaws(of, declaration);
    auditLaws(of);
    eventLaws(of, declaration);
    dryRunLaws(of, declaration);
    idempotencyLaws(of);
    xmlLaws(of, declaration);
    monitorLaws(of, declaration);
  });
}

/** The same for a log that takes rows from clients: what collections have but rows that never change have not is left out. */
export function logLaws(declaration: Log, options: LawOptions): void {
  describe('as every log', () => {
    const of = trialOf(declaration, options);
    accessLaws(of, declaration);
    requestLaws(of, declaration);
    pagingLaws(of);
    countLaws(of, declaration);
    filterLaws(of, declaration);
    deletionLaws(of, declaration);
    idempotencyLaws(of);
    xmlLaws(of, declaration);
    monitorLaws(of, declaration);
  });
}

/** The group in a world, from the first test of the surrounding `describe` to its last. */
function trialOf(declaration: Lawful, options: LawOptions): () => Trial {
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
