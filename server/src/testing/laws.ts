import { afterAll, beforeAll, describe } from 'vitest';
import type { Collection } from '../kernel/declare.ts';
import { deletionLaws, enablingLaws, rankLaws, referenceLaws } from './laws/changes.ts';
import { countLaws, filterLaws, pagingLaws } from './laws/lists.ts';
import { keyLaws, readBackLaws, staleLaws } from './laws/records.ts';
import { accessLaws, boundLaws, idempotencyLaws, rehearsalLaws, requestLaws, xmlLaws } from './laws/requests.ts';
import { auditLaws, eventLaws, monitorLaws, secretLaws } from './laws/traces.ts';
import { type LawOptions, Trial } from './laws/trial.ts';
import { openWorld } from './open-world.ts';

/**
 * Gives a collection the tests that follow from its declaration: which fields it has, how they are bounded, which operations it serves.
 * Called inside a `describe`; a group adds only what is its own.
 */
export function collectionLaws(declaration: Collection, options: LawOptions): void {
  let trial: Trial;
  let close: (() => Promise<void>) | undefined;
  const of = () => trial;

  describe('as every collection', () => {
    beforeAll(async () => {
      const own = options.world ? undefined : await openWorld();
      close = own?.close;
      trial = new Trial(options.world ?? own!, declaration, options);
    });
    afterAll(async () => close?.());

    accessLaws(of, declaration);
    boundLaws(of, declaration);
    requestLaws(of, declaration);
    readBackLaws(of, declaration);
    staleLaws(of, declaration);
    keyLaws(of, declaration);
    pagingLaws(of);
    countLaws(of, declaration);
    filterLaws(of);
    deletionLaws(of, declaration);
    referenceLaws(of, declaration, options);
    rankLaws(of, declaration);
    enablingLaws(of, declaration);
    secretLaws(of, declaration);
    auditLaws(of);
    eventLaws(of);
    rehearsalLaws(of, declaration);
    idempotencyLaws(of);
    xmlLaws(of);
    monitorLaws(of, declaration);
  });
}
