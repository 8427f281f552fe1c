import type { Context, NodeDependencies } from '../../src/context.ts';
import { type Resource, resource } from '../../src/kernel/operations/resource.ts';
import { teaMachine } from './tea-machine.ts';

/** What the module of a plain collection exports, outside the folders that the catalogue reads. */
export const overlayGroups: readonly Resource<Context, NodeDependencies>[] = [resource('Tea machine', teaMachine)];
