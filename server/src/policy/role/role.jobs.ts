import { reconciler } from '../../context.ts';
import { assignDueRoles } from './role.service.ts';

/** Gives accounts their role after groups, nesting or the order of roles changed. */
export const roleAssign = reconciler('role-assign', {
  doc: 'Assign roles to the members of groups',
  everySeconds: 60,
  secondsMax: 55,
  async run({ context, signal }) {
    while (!signal.aborted && (await context.write(assignDueRoles)));
  },
});
