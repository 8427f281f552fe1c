import type { PermissionKey, Rights } from './permissions.ts';

/** What a profile limits beyond verbs: of some groups its holders see only some rows. */
export interface Limits {
  accountId: number;
  /** Hosts, adapters, ports and users: only members of the groups that the holder's administrator groups manage. */
  byGroups: boolean;
  /** Keys that are narrowed to some records. */
  selected: ReadonlyMap<PermissionKey, readonly number[]>;
}

/** The session of a caller. */
export interface CallingSession {
  id: number;
  /** Proves that a page of ours asks, and no other site: never stored, never logged. */
  securityKey(): string;
  /** Somebody looks at a page of ours: the cookie was sent, and not by a timer or a stream. */
  isAttended: boolean;
}

/** Who calls: an account, by one of its tokens or sessions, with the rights that are left to that. */
export interface Caller {
  accountId: number;
  userID: string;
  rights: Rights;
  /** Which rows the profile lets them see, where it does not let them see all. */
  limits?: Limits | undefined;
  credential: { kind: 'token' | 'session'; publicId: string; name: string; scopes: Record<string, string[]> | null };
  /** Absent where an API token was sent. */
  session?: CallingSession;
}

/** Who acts, and by which request: goes into every audit row. Plain data, so that a job can carry it. */
export interface AuditSource {
  user: string;
  address: string | null;
  /** The token's name, or the session's public id. */
  credential: { kind: 'token' | 'session' | 'system'; name: string };
  requestId: string;
  method: string;
  path: string;
  /** Why, in the caller's words. */
  reason: string | null;
}

/** What a job needs of a caller, so that what it does is audited as the caller's. */
export const auditSourceOf = ({ credential, ...source }: AuditSource): AuditSource => ({
  user: source.user,
  address: source.address,
  credential: { kind: credential.kind, name: credential.name },
  requestId: source.requestId,
  method: source.method,
  path: source.path,
  reason: source.reason,
});

/** Who acts, with what they may do and see. */
export interface Origin extends AuditSource {
  /** The account, 0 for the service itself. */
  accountId: number;
  /** What they may: a rule that hands out rights asks for it. */
  rights: Rights;
  /** Which rows they see of what is limited to them; none: all. */
  limits?: Limits | undefined;
}

/** How the service itself stands in the audit log. */
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
