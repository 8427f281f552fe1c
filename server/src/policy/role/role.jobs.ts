import { job } from '../../context.ts';
import { assignDueRoles } from './assign-roles.ts';

/** Gives accounts their role after groups, nesting or the order of roles changed. */
export const roleAssign = job('role-assign', {
  doc: 'Give members of groups the role that claims them',
  at: '* * * * *',
  secondsMax: 55,
  repeatable: true,
  async run(_payload, { context, signal }) {
    while (!signal.aborted && (await context.write(assignDueRoles)));
  },
});
