import type { Caller } from '../declare/caller.ts';
import type { Operation } from '../declare/operation.ts';
import { allows } from '../declare/permissions.ts';
import { forbidden } from '../failure.ts';

/** 403 for who may not call an operation. */
export function refuseWithoutRight({ access }: Pick<Operation, 'access'>, caller: Pick<Caller, 'rights'>): void {
  if (access.kind !== 'permission') return;
  const { key, verb } = access;
  const isAllowed =
    verb === 'save'
      ? allows(caller.rights, key, 'add') || allows(caller.rights, key, 'modify')
      : allows(caller.rights, key, verb);
  if (!isAllowed) throw forbidden(key, verb === 'save' ? 'add or modify' : verb);
}
