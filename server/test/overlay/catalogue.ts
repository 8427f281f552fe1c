import type { Context, NodeDependencies } from '../../src/context.ts';
import type { Database } from '../../src/database.ts';
import type { RowOf } from '../../src/kernel/declare/declaration.ts';
import { type Resource, resource } from '../../src/kernel/operations/resource.ts';
import { teaMachine } from './tea-machine.ts';

/** The two lines that a plain collection adds to the lists of the service, here to lists of their own. */
export const overlayGroups: readonly Resource<Context, NodeDependencies>[] = [resource('Tea machine', teaMachine)];

export interface OverlayDatabase extends Database {
  tea_machine: RowOf<typeof teaMachine>;
}
