import type { Caller } from '../declare/caller.ts';
import type { Operation } from '../declare/operation.ts';
import { allows } from '../declare/permissions.ts';
import { forbidden } from '../failure.ts';

/** Throws 403 if the caller may not run the operation. */
export function refuseWithoutRight({ access }: Pick<Operation, 'access'>, caller: Pick<Caller, 'rights'>): void {
  if (access.kind !== 'permission') return;
  const { key, verb } = access;
  const isAllowed =
    verb === 'save'
      ? allows(caller.rights, key, 'add') || allows(caller.rights, key, 'modify')
      : allows(caller.rights, key, verb);
  if (!isAllowed) throw forbidden(key, verb === 'save' ? 'add or modify' : verb);
}
