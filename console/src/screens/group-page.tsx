import type { ReactNode } from 'react';
import type { GroupEntry } from '../document/group.ts';

/** A page of the menu, and the groups that stand on it. */
export const GroupPage = ({
  title,
  groups,
  menuButton,
}: {
  title: string;
  groups: readonly GroupEntry[];
  menuButton: ReactNode;
}) => (
  <>
    <header className="head">
      {menuButton}
      <h1>{title}</h1>
      <span className="quiet">{groups.map((group) => group.title).join(', ')}</span>
    </header>
    <div className="body" />
  </>
);
