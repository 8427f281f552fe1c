import type { Operation } from '../kernel/declare/operation.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { bookmarkOperations } from './bookmarks.ts';
import { Counts, countsOperation } from './counts.ts';
import { currentSessionOperations } from './current-session.ts';
import { ConsoleFeed, feedOperation } from './feed.ts';
import { attributeOperations } from './user-attributes.ts';

/** Returns the operations for the console beyond those of the resources. `served` are the names of the resources in the contract. */
export function consoleOperations(
  runtime: Runtime,
  resourceOperations: readonly Operation[],
  { served, archives, monotonicMs }: { served: ReadonlySet<string>; archives: boolean; monotonicMs: () => number },
): Operation[] {
  const topics = [
    ...new Set(
      resourceOperations
        .filter(({ pattern }) => pattern === 'list')
        .map(({ operationId }) => operationId.split('.')[0]!),
    ),
  ];
  return [
    ...attributeOperations(runtime),
    ...currentSessionOperations(runtime, served, archives),
    ...bookmarkOperations(runtime),
    feedOperation(new ConsoleFeed(runtime, monotonicMs), topics),
    countsOperation(new Counts(runtime, monotonicMs), topics),
  ];
}
