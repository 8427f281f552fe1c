import type { Context } from '../../context.ts';
import type { Database } from '../../database.ts';
import { type Group, group } from '../../kernel/action.ts';
import type { RowOf } from '../../kernel/declare.ts';
import { coffeeMachine } from './coffee-machine.ts';

/** The two lines that a plain collection adds to the lists of the service, here to lists of their own. */
export const overlayGroups: readonly Group<Context>[] = [group('Coffee machine', coffeeMachine)];

export interface OverlayDatabase extends Database {
  coffee_machine: RowOf<typeof coffeeMachine>;
}
