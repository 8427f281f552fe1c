import { reconciler } from '../../context.ts';
import { assignDueRoles } from './role.service.ts';

/** Assigns roles to accounts and hosts after a change of groups, nesting or the order of roles. */
export const roleAssign = reconciler('role-assign', {
  doc: 'Assign roles to the members of groups',
  everySeconds: 60,
  secondsMax: 55,
  async run({ context, signal }) {
    while (!signal.aborted && (await context.write(assignDueRoles)));
  },
});
