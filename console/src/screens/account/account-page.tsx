import { group } from 'virtual:own-account';
import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import type { Subject } from '../../action/subject.ts';
import { useBookmarks } from '../../client/bookmarks.ts';
import { useSession } from '../../client/session-context.ts';
import { RecordActionBar } from '../../detail/record-action-bar.tsx';
import { markHidden, readableValue, shownValue } from '../../document/value.ts';
import { Failure } from '../../parts/message.tsx';
import { useNow } from '../../parts/surroundings.ts';
import { Footer } from '../../shell/footer.tsx';
import { text } from '../../texts/text.ts';
import { AccountActions, ActionButton } from './account-actions.tsx';
import { otherActions } from './account-operations.ts';
import { OwnRows } from './own-rows.tsx';
import { useOwnRows } from './use-own-rows.ts';
import '../../style/record-page.css';
import '../../style/form.css';

/** The page of the user's account: tokens, sessions and bookmarks. */
export function AccountPage({ menuButton }: { menuButton: ReactNode }) {
  const { userID } = useSession();
  return (
    <AccountActions>
      <header className="head">
        {menuButton}
        <h1>{text.account.title}</h1>
        <span className="quiet">{userID}</span>
        <span className="grow" />
        <ActionButton id="session.password" label={text.account.password} />
        <RecordActionBar group={group} actions={otherActions(group)} actionKey="a" />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be focusable */}
      <section className="own-account" aria-label={text.account.titleOf(userID)} tabIndex={0}>
        <Tokens />
        <Sessions />
        <Bookmarks />
        <Service />
      </section>
      <Footer keys={text.keys.board} />
    </AccountActions>
  );
}

/** A section of the page: title, action and rows. */
const Part = ({
  title,
  why,
  action,
  children,
}: {
  title: string;
  why?: string;
  action?: ReactNode;
  children: ReactNode;
}) => (
  <div className="own-part">
    <div className="own-head">
      <h2>{title}</h2>
      {why && <span className="quiet">{why}</span>}
      <span className="grow" />
      {action}
    </div>
    {children}
  </div>
);

const None = ({ children }: { children: string }) => <p className="quiet own-none">{children}</p>;

function When({ at: instant }: { at: string | null }) {
  const nowMs = useNow();
  if (instant === null) return <span className="quiet">{text.account.never}</span>;
  const { text: short, whole: fullText } = shownValue({ kind: 'time' }, instant, nowMs);
  return <span title={fullText}>{short}</span>;
}

interface Token {
  id: number;
  name: string;
  prefix: string;
  owner: string;
  scopes: Readonly<Record<string, unknown>> | null;
  expiresAt: string;
  lastUsedAt: string | null;
  lastUsedIp: string | null;
  state: string;
}

function Tokens() {
  const { rights } = useSession();
  const [isAll, setAll] = useState(false);
  const { rows, error, refetch } = useOwnRows<Token>('token.list', isAll ? { all: true } : {});
  const create = <ActionButton id="token.create" label={text.account.newToken} />;
  return (
    <Part title={text.account.tokens} why={text.account.tokensWhy} action={create}>
      {rights['admin-profiles.view'] && (
        <label className="own-none">
          <input type="checkbox" checked={isAll} onChange={(event) => setAll(event.target.checked)} />{' '}
          {text.account.allTokens}
        </label>
      )}
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {rows?.length === 0 && <None>{text.account.noTokens}</None>}
      {rows && rows.length > 0 && (
        <OwnRows
          label={text.account.tokens}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            [text.account.columns.name, ({ name }) => markHidden(name)],
            ...(isAll ? ([[text.account.columns.owner, ({ owner }: Token) => markHidden(owner)]] as const) : []),
            [text.account.columns.prefix, ({ prefix }) => <span className="mono">{prefix}</span>],
            [text.account.columns.state, ({ state }) => readableValue(state)],
            [
              text.account.columns.scopes,
              ({ scopes }) => (scopes ? Object.keys(scopes).join(', ') : text.account.allRights),
            ],
            [text.account.columns.expires, ({ expiresAt }) => <When at={expiresAt} />],
            [text.account.columns.lastUsed, ({ lastUsedAt }) => <When at={lastUsedAt} />],
            [text.account.columns.address, ({ lastUsedIp }) => lastUsedIp],
            ['', ({ id, name }) => <TokenActions subject={[{ id: String(id), name: markHidden(name) }]} />],
          ]}
        />
      )}
    </Part>
  );
}

const TokenActions = ({ subject }: { subject: Subject }) => (
  <span className="own-acts">
    <ActionButton id="token.rotate" label={text.account.rotate} subject={subject} />
    <ActionButton id="token.revoke" label={text.account.revoke} subject={subject} />
  </span>
);

interface LoginSession {
  id: number;
  address: string | null;
  createdAt: string;
  usedAt: string;
  expiresAt: string;
  current: boolean;
}

function Sessions() {
  const { rows, error, refetch } = useOwnRows<LoginSession>('session.list');
  return (
    <Part title={text.account.sessions} why={text.account.sessionsWhy}>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {rows && (
        <OwnRows
          label={text.account.sessions}
          rows={rows}
          keyOf={({ id }) => id}
          columns={[
            [text.account.columns.address, ({ address }) => <span className="mono">{address}</span>],
            [text.account.columns.signedIn, ({ createdAt }) => <When at={createdAt} />],
            [text.account.columns.lastUsed, ({ usedAt }) => <When at={usedAt} />],
            [text.account.columns.expires, ({ expiresAt }) => <When at={expiresAt} />],
            [
              '',
              ({ id, address, current }) =>
                current ? (
                  <span className="quiet">{text.account.thisSession}</span>
                ) : (
                  <ActionButton
                    id="session.revoke"
                    label={text.account.end}
                    subject={[{ id: String(id), name: address ?? String(id) }]}
                  />
                ),
            ],
          ]}
        />
      )}
    </Part>
  );
}

function Bookmarks() {
  const bookmarks = useBookmarks();
  return (
    <Part title={text.account.bookmarks}>
      {bookmarks.length === 0 ? (
        <None>{text.account.noBookmarks}</None>
      ) : (
        <OwnRows
          label={text.account.bookmarks}
          rows={bookmarks}
          keyOf={({ dbid }) => dbid}
          columns={[
            [text.account.columns.name, ({ label }) => markHidden(label)],
            [
              text.account.columns.page,
              ({ path }) => (
                <Link className="link" href={path}>
                  {markHidden(path)}
                </Link>
              ),
            ],
            [
              '',
              ({ dbid, label }) => (
                <ActionButton
                  id="session.save-bookmark"
                  label={text.account.change}
                  subject={[{ id: String(dbid), name: markHidden(label) }]}
                />
              ),
            ],
          ]}
        />
      )}
    </Part>
  );
}

interface ServicePlace {
  name: string;
  path: string;
  description: string;
}

/** Links to the documents and health checks of the service. */
function Service() {
  const { rows, error, refetch } = useOwnRows<ServicePlace>('service.index');
  return (
    <Part title={text.account.service}>
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {rows && (
        <OwnRows
          label={text.account.service}
          rows={rows}
          keyOf={({ name }) => name}
          columns={[
            [text.account.columns.description, ({ description }) => description],
            [
              text.account.columns.path,
              ({ path }) => (
                <a className="link mono" href={path}>
                  {path}
                </a>
              ),
            ],
          ]}
        />
      )}
    </Part>
  );
}
