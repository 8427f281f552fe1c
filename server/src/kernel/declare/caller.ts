import type { PermissionKey, Rights } from './permissions.ts';

/** Row limits of a profile: of some resources, its holders see only some rows. */
export interface Limits {
  accountId: number;
  /** Hosts, adapters, ports and users: only members of the groups that the holder's administrator groups manage. */
  byGroups: boolean;
  /** Permission keys that are limited to selected records. */
  selected: ReadonlyMap<PermissionKey, readonly number[]>;
}

/** The session of a caller. */
export interface CallingSession {
  id: number;
  /** Proves that the request comes from a page of this service and not from another site; never stored or logged. */
  securityKey(): string;
  /** True if a page of this service sent the cookie because of a user action, not by a timer or a stream. */
  isAttended: boolean;
}

/** The account that sent a request by a token or session, with the rights that this credential leaves it. */
export interface Caller {
  accountId: number;
  userID: string;
  rights: Rights;
  /** The row limits of the profile; absent if it shows all rows. */
  limits?: Limits | undefined;
  credential: { kind: 'token' | 'session'; publicId: string; name: string; scopes: Record<string, string[]> | null };
  /** Absent if the request carried an API token. */
  session?: CallingSession;
}

/** The account and request recorded in every audit row. Plain data, so that a job can carry it. */
export interface AuditSource {
  user: string;
  address: string | null;
  /** The token's name, or the session's public id. */
  credential: { kind: 'token' | 'session' | 'system'; name: string };
  requestId: string;
  method: string;
  path: string;
  /** The reason for the write, as the caller gave it. */
  reason: string | null;
}

/** Returns the audit fields of a caller, so that a job's changes are audited as the caller's. */
export const auditSourceOf = ({ credential, ...source }: AuditSource): AuditSource => ({
  user: source.user,
  address: source.address,
  credential: { kind: credential.kind, name: credential.name },
  requestId: source.requestId,
  method: source.method,
  path: source.path,
  reason: source.reason,
});

/** The account behind a write, with its rights and row limits. */
export interface Origin extends AuditSource {
  /** The account's id; 0 for the service itself. */
  accountId: number;
  /** Checked by rules that grant rights to other accounts. */
  rights: Rights;
  /** Row limits; absent: all rows are visible. */
  limits?: Limits | undefined;
}

/** Returns the origin of a change that the service itself makes. */
export const systemOrigin = (job: string): Origin => ({
  user: 'system',
  accountId: 0,
  rights: 'everything',
  address: null,
  credential: { kind: 'system', name: job },
  requestId: `job:${job}`,
  method: '',
  path: '',
  reason: null,
});
