import { action } from '../../src/context.ts';
import { resource } from '../../src/kernel/operations/resource.ts';
import type { ServiceOptions } from '../../src/node/start-service.ts';
import { cup } from './logs.ts';

const makeCups = action(cup, {
  name: 'make',
  method: 'POST',
  path: '/make',
  doc: 'Make cups',
  verb: 'add',
  body: {
    kind: 'object',
    name: 'CupOrder',
    properties: { drink: { kind: 'text', min: 1, max: 60 }, cups: { kind: 'integer', min: 1, max: 100 } },
    required: ['drink', 'cups'],
  },
  example: { drink: 'espresso', cups: 1 },
  async run({ body }, { tx }) {
    const { drink, cups } = body as { drink: string; cups: number };
    await tx.client.query(
      `insert into cup (drink, machine_id, extras) select $1, n, '[]' from generate_series(1, $2::integer) n`,
      [drink, cups],
    );
    return [];
  },
});

/** A log that is not in the catalogue: clients write to it, in the transaction of their request. */
export const cups = { groups: [resource('Cup', cup, { actions: [makeCups] })] } satisfies ServiceOptions['overlay'];
