import { Link } from 'wouter';
import { useGroupInfo } from '../client/group-info.ts';
import { may } from '../client/session.ts';
import { useSession } from '../client/session-context.ts';
import { findOperation } from '../document/operations.ts';
import { Icon } from '../parts/icon.tsx';
import type { FirstAction } from './first-actions.ts';

/** The first actions in an empty cell that the user is permitted to run. */
export const FirstActions = ({ acts }: { acts: readonly FirstAction[] }) =>
  acts.length > 0 && (
    <ul className="first-acts">
      {acts.map((act) => (
        <Card key={act.operation} act={act} />
      ))}
    </ul>
  );

function Card({ act: { name, why, icon, group, operation, href } }: { act: FirstAction }) {
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
