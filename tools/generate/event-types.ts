import { catalogue } from '@portreeve/server/catalogue.ts';
import { declaredEventTypes } from '@portreeve/server/node/number-event-types.ts';
import { modelFor } from '@portreeve/server/node/start-service.ts';
import stored from '../../event-types.json' with { type: 'json' };
import type { Generator } from './generator.ts';

/** A number never changes: a type that no code declares any more keeps its own, because stored events carry it. */
export const generator: Generator = {
  doc: 'event-types.json: gives new event types the next free numbers',
  async files() {
    const numbers: Record<string, number> = { ...stored };
    let last = Math.max(0, ...Object.values(numbers));
    for (const { name } of declaredEventTypes(catalogue, modelFor(catalogue))) numbers[name] ??= ++last;
    return { 'event-types.json': `${JSON.stringify(numbers, null, 2)}\n` };
  },
};
