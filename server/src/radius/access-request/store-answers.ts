import { everyRow, type Runtime, type WriteTx } from '../../context.ts';
import { holdAddressesSql, learnedChangesSql, storeLearnedSql } from '../../device/polling/polling.service.ts';
import { refreshConnectionStates } from '../../device/port/port.service.ts';
import { type ConnectionsRead, followConnections } from '../../host/adapter/adapter.service.ts';
import { adapter } from '../../host/adapter/adapter.ts';
import { host } from '../../host/host/host.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import type { AccessState } from '../../policy/decide/decide.service.ts';
import { userAccount } from '../../user/user-account/user-account.ts';
import { type AuthType, loginTypes } from './auth-type.ts';

const everyAdapter = everyRow(adapter, 'the result of a request is stored independently of who may view the adapter');
const everyHost = everyRow(host, 'the result of a request is stored independently of who may view the host');
const everyUser = everyRow(userAccount, 'the result of a request is stored independently of who may view the account');

/** The result of an access request to store: place, login and access of an adapter. */
export interface StoredAnswer {
  mac: string;
  /** Null: the address has no adapter, so nothing is stored. */
  adapterID: number | null;
  portID: number;
  isAccepted: boolean;
  authType: AuthType;
  /** User who logged in; null: MAC authentication. */
  userName: string | null;
  outerEapType: string | null;
  innerEapType: string | null;
  /** VLAN of the reply; empty: none. */
  vlan: string;
  accessState: AccessState | null;
  generation: number;
  /** The decision with its reason. */
  decision: object;
  isEnforced: boolean;
}

/** Interval of the batches: each takes a dozen statements for any number of results. */
const batchMs = 200;
const batchMax = 500;
const queueMax = 10_000;
const retryMsMax = 5_000;

const connectionsSql = `${storeLearnedSql('$1', 'RADIUS')}, gone as (select null::text as mac, null::bigint as port_id where false) ${learnedChangesSql}`;

/** Ends an open connection after a reject at its port, where the device no longer gives access. */
const rejectedSql = `with gone as (
  delete from connection_active a using closing_because('POLICY'), jsonb_to_recordset($1::jsonb) s(mac text, "portID" bigint)
  where a.mac = s.mac and a.port_id = s."portID"
  returning a.mac, a.port_id
) select array(select g.mac from gone g) as gone, array(select distinct g.port_id from gone g) as ports`;

const adaptersSql = `with said as (
  select s.* from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, "authType" text, "outerEapType" text, "innerEapType" text, "accessState" text)
), held as (
  select a.id from ${everyAdapter} a join said s on s."adapterID" = a.id order by a.id for no key update of a
)
update ${everyAdapter} a set auth_type = s."authType", outer_eap_type = s."outerEapType", inner_eap_type = s."innerEapType", access_state = s."accessState"
from said s join held on held.id = s."adapterID"
where a.id = s."adapterID" and (a.auth_type, a.outer_eap_type, a.inner_eap_type, a.access_state)
  is distinct from (s."authType", s."outerEapType", s."innerEapType", s."accessState")`;

/** Ends the login of a host whose adapter logged in before and was now accepted without a login. */
const logoffSql = `with said as (
  select distinct a.host_id from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, "userName" text)
  join ${everyAdapter} a on a.id = s."adapterID" and a.auth_type in ('${loginTypes.join("', '")}')
  where s."userName" is null
), held as (
  select h.id from ${everyHost} h join said s on s.host_id = h.id order by h.id for no key update of h
)
update ${everyHost} h set authenticated = false, authenticated_user_id = null, authentication_expires = null, logged_on_user_id = null
from held where held.id = h.id`;

/** Stores the user of a login as logged on, until another login or MAC authentication. */
const hostsSql = `with said as (
  select distinct on (a.host_id) a.host_id, s."userName" as user_name,
    (select u.id from ${everyUser} u where lower(u.user_id) = lower(s."userName")) as account_id
  from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, "userName" text) join ${everyAdapter} a on a.id = s."adapterID"
  where s."userName" is not null order by a.host_id
), held as (
  select h.id from ${everyHost} h join said s on s.host_id = h.id order by h.id for no key update of h
)
update ${everyHost} h set authenticated = true, authenticated_user_id = s.account_id, authentication_expires = null, logged_on_user_id = s.user_name
from said s join held on held.id = s.host_id
where h.id = s.host_id and (h.authenticated, h.authenticated_user_id, h.authentication_expires, h.logged_on_user_id)
  is distinct from (true, s.account_id, null::timestamptz, s.user_name)`;

/** Stores the decision as applied, because the reply has been sent. */
const accessSql = `insert into adapter_access as x (adapter_id, desired, applied, status, generation)
select s."adapterID", s.decision, s.decision, case when s."isEnforced" then 'APPLIED' else 'NOT_ENFORCED' end, s.generation
from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, decision jsonb, "isEnforced" boolean, generation bigint)
join ${everyAdapter} a on a.id = s."adapterID"
order by s."adapterID"
on conflict (adapter_id) do update set desired = excluded.desired, applied = excluded.applied, status = excluded.status,
  generation = excluded.generation, phase = null, attempts = 0, next_try = null, decided_at = now()`;

/** Stores the results of requests after the replies, in batches. Results lost with a node are stored again by the next poll or request. */
export class AccessRequestStore {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  #waiting: StoredAnswer[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #isClosing = false;
  #dropped = 0;

  constructor(runtime: Runtime, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
  }

  /** Adds a result to the queue. If the queue is full, the oldest result is dropped. */
  add(answer: StoredAnswer): void {
    this.#waiting.push(answer);
    this.#bound();
    this.#timer ??= setTimeout(() => void this.flush(), batchMs);
  }

  /** Stores all queued results. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    return this.#writing;
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    await this.flush();
  }

  async #writeAll(): Promise<void> {
    for (let pauseMs = batchMs; this.#waiting.length > 0; ) {
      const batch = this.#waiting.splice(0, batchMax);
      const isWritten = await this.#write(lastOfEach(batch));
      if (isWritten) {
        pauseMs = batchMs;
        this.#reportDropped();
      } else if (this.#isClosing) return;
      else {
        this.#waiting.unshift(...batch);
        this.#bound();
        pauseMs = Math.min(2 * pauseMs, retryMsMax);
        await new Promise<void>((done) => {
          setTimeout(done, pauseMs).unref();
        });
      }
    }
  }

  #bound(): void {
    const tooMany = this.#waiting.length - queueMax;
    if (tooMany <= 0) return;
    this.#waiting.splice(0, tooMany);
    this.#dropped += tooMany;
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#onError(new Error(`${this.#dropped} results of RADIUS requests were not stored: the queue was full`));
    this.#dropped = 0;
  }

  /** Writes a batch; false if it must be retried. If the database rejects it, each result is written alone, and rejected ones are reported. */
  async #write(answers: readonly StoredAnswer[]): Promise<boolean> {
    try {
      await this.#runtime.transact(systemOrigin('radius'), (tx) => store(tx, answers));
      return true;
    } catch (error) {
      this.#onError(error as Error);
      if (!isRefusal(error)) return false;
      if (answers.length > 1) for (const answer of answers) await this.#write([answer]);
      return true;
    }
  }
}

/** True if the database would reject the same statement again. A lost connection or a deadlock can be retried. */
export const isRefusal = (error: unknown): boolean => /^(22|23|42|P0)/.test((error as { code?: string }).code ?? '');

/** Keeps the last of several results for one MAC address. */
const lastOfEach = (batch: readonly StoredAnswer[]): StoredAnswer[] => [
  ...new Map(batch.map((answer) => [answer.mac, answer])).values(),
];

async function store(tx: WriteTx, answers: readonly StoredAnswer[]): Promise<void> {
  const stored = answers.filter(({ adapterID }) => adapterID !== null);
  await storeConnections(
    tx,
    stored.filter(({ isAccepted }) => isAccepted),
  );
  if (stored.length === 0) return;
  await endConnections(
    tx,
    stored.filter(({ isAccepted }) => !isAccepted),
  );
  const accepted = [JSON.stringify(stored.filter(({ isAccepted }) => isAccepted))];
  if (stored.some(({ userName, isAccepted }) => isAccepted && userName === null))
    await tx.client.query({ name: 'radius.logoff', text: logoffSql, values: accepted });
  await tx.client.query({ name: 'radius.adapters', text: adaptersSql, values: accepted });
  await tx.client.query({ name: 'radius.access', text: accessSql, values: [JSON.stringify(stored)] });
  if (stored.some(({ userName, isAccepted }) => isAccepted && userName !== null))
    await tx.client.query({ name: 'radius.hosts', text: hostsSql, values: accepted });
}

async function endConnections(tx: WriteTx, rejected: readonly StoredAnswer[]): Promise<void> {
  if (rejected.length === 0) return;
  const values = [JSON.stringify(rejected.map(({ mac, portID }) => ({ mac, portID })))];
  await tx.client.query(holdAddressesSql, [rejected.map(({ mac }) => mac)]);
  const { rows } = await tx.client.query<{ gone: string[]; ports: number[] }>({
    name: 'radius.rejected',
    text: rejectedSql,
    values,
  });
  const ended = rows[0]!;
  await followConnections(tx, { learned: [], added: [], moved: [], gone: ended.gone });
  await refreshConnectionStates(tx.client, ended.ports);
}

/** Opens or continues the connections of accepted adapters. */
async function storeConnections(tx: WriteTx, accepted: readonly StoredAnswer[]): Promise<void> {
  if (accepted.length === 0) return;
  const connections = accepted.map(({ mac, portID, vlan }) => ({ mac, portID, vlan }));
  await tx.client.query(holdAddressesSql, [connections.map(({ mac }) => mac)]);
  const { rows } = await tx.client.query<Omit<ConnectionsRead, 'learned'> & { ports: number[] }>({
    name: 'radius.connections',
    text: connectionsSql,
    values: [JSON.stringify(connections)],
  });
  const { ports, ...changes } = rows[0]!;
  // Nothing to learn: rogue hosts are created before the reply, and one deleted since then must not be created again.
  await followConnections(tx, { learned: [], ...changes });
  await refreshConnectionStates(tx.client, ports);
}
