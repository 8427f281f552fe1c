import { Link } from 'wouter';
import { useGroupInfo } from '../client/group-info.ts';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { findOperation } from '../document/operations.ts';
import { Icon } from '../parts/icon.tsx';
import type { FirstAction } from './first-actions.ts';

/** The first actions in an empty cell that the user is permitted to run. */
export const FirstActions = ({ actions }: { actions: readonly FirstAction[] }) =>
  actions.length > 0 && (
    <ul className="first-acts">
      {actions.map((action) => (
        <Card key={action.operation} action={action} />
      ))}
    </ul>
  );

function Card({ action: { name, why, icon, group, operation, href } }: { action: FirstAction }) {
  const session = useSession();
  const { data } = useGroupInfo(group);
  const operationInfo = data && findOperation(data, operation);
  if (!operationInfo || !may(session, operationInfo)) return null;
  return (
    <li>
      <Icon name={icon} size={20} />
      <h3>{name}</h3>
      <p>{why}</p>
      <Link className="button" href={href}>
        {name}
      </Link>
    </li>
  );
}
