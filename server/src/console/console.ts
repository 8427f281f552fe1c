import type { Operation } from '../kernel/declare/operation.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { bookmarkOperations } from './bookmarks.ts';
import { currentSessionOperations } from './current-session.ts';
import { attributeOperations } from './user-attributes.ts';

/** What the console asks of the service in addition to the groups. `others`: the operations that are served besides. */
export function consoleOperations(runtime: Runtime, others: readonly Operation[], archives: boolean): Operation[] {
  const served = new Set(others.map(({ group }) => group));
  return [
    ...attributeOperations(runtime),
    ...currentSessionOperations(runtime, () => served, archives),
    ...bookmarkOperations(runtime),
  ];
}
