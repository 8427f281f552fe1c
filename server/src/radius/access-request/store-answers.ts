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

const everyAdapter = everyRow(adapter, 'what was answered is stored whoever may view the adapter');
const everyHost = everyRow(host, 'what was answered is stored whoever may view the host');
const everyUser = everyRow(userAccount, 'what was answered is stored whoever may view the account');

/** What an answer changes: where somebody is, how they came in, and what they got. */
export interface StoredAnswer {
  mac: string;
  /** Null: nothing is stored of the address. */
  adapterID: number | null;
  portID: number;
  isAccepted: boolean;
  authType: AuthType;
  /** Who logged in; null: a device that is known by its address alone. */
  userName: string | null;
  outerEapType: string | null;
  innerEapType: string | null;
  /** VLAN that was answered; empty: none. */
  vlan: string;
  accessState: AccessState | null;
  generation: number;
  /** What was decided, with its reason. */
  decision: object;
  isEnforced: boolean;
}

/** Each batch costs a dozen statements, however many it stores. */
const batchMs = 200;
const batchMax = 500;
const queueMax = 10_000;
const retryMsMax = 5_000;

const connectionsSql = `${storeLearnedSql('$1')}, gone as (select null::text as mac, null::bigint as port_id where false) ${learnedChangesSql}`;

/** A reject at the port of an open connection ends it: the device gives no access there any longer. */
const rejectedSql = `with gone as (
  delete from connection_active a using jsonb_to_recordset($1::jsonb) s(mac text, "portID" bigint)
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

/** Who comes in without a login is not the one who logged in from there before. */
const logoffSql = `with said as (
  select distinct a.host_id from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, "userName" text)
  join ${everyAdapter} a on a.id = s."adapterID" and a.auth_type in ('${loginTypes.join("', '")}')
  where s."userName" is null
), held as (
  select h.id from ${everyHost} h join said s on s.host_id = h.id order by h.id for no key update of h
)
update ${everyHost} h set authenticated = false, authenticated_user_id = null, authentication_expires = null, logged_on_user_id = null
from held where held.id = h.id`;

/** Who logs in is logged on until somebody else does. */
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

/** What RADIUS answers is applied by being sent. */
const accessSql = `insert into adapter_access as x (adapter_id, desired, applied, status, generation)
select s."adapterID", s.decision, s.decision, case when s."isEnforced" then 'APPLIED' else 'NOT_ENFORCED' end, s.generation
from jsonb_to_recordset($1::jsonb) s("adapterID" bigint, decision jsonb, "isEnforced" boolean, generation bigint)
join ${everyAdapter} a on a.id = s."adapterID"
order by s."adapterID"
on conflict (adapter_id) do update set desired = excluded.desired, applied = excluded.applied, status = excluded.status,
  generation = excluded.generation, phase = null, attempts = 0, next_try = null, decided_at = now()`;

/** Stores what answers change, after they were given, many at a time. What is lost with the node is seen again by the next poll or request. */
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

  /** The newest is worth most: of too many the oldest goes. */
  add(answer: StoredAnswer): void {
    this.#waiting.push(answer);
    this.#bound();
    this.#timer ??= setTimeout(() => void this.flush(), batchMs);
  }

  /** Stores all that waits. */
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
    this.#onError(new Error(`${this.#dropped} RADIUS answers were given and not stored: too many waited`));
    this.#dropped = 0;
  }

  /** Whether it need not be tried again: of answers that the database refuses, each goes alone, and what is refused then is reported. */
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

/** True if the database would refuse the same statement again. A lost connection or a deadlock is worth another attempt. */
export const isRefusal = (error: unknown): boolean => /^(22|23|42|P0)/.test((error as { code?: string }).code ?? '');

/** Of several answers to one address the last one counts. */
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

/** An accept opens a connection, or says that it goes on. */
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
  // Hosts were made before the answer: one that is gone by now stays gone.
  await followConnections(tx, { learned: [], ...changes });
  await refreshConnectionStates(tx.client, ports);
}
