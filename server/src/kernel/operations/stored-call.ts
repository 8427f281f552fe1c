import { type AuditSource, auditSourceOf, type Caller } from '../declare/caller.ts';
import type { Answer, Call, Operation } from '../declare/operation.ts';
import { Failure } from '../failure.ts';
import { refuseWithoutRight } from './rights-of-call.ts';

/** A call as stored in a job. It contains no rights: they are loaded again when the job runs. */
export interface StoredCall {
  operationId: string;
  id: number;
  parameters: Call['parameters'];
  query: Call['query'];
  body: unknown;
  ifMatch: number | null;
  nowMs: number;
  credential: { kind: 'token' | 'session'; publicId: string };
  source: AuditSource;
}

export const storedCallOf = ({ operation, caller, origin, ...call }: Call): StoredCall => ({
  operationId: operation.operationId,
  id: call.id,
  parameters: call.parameters,
  query: call.query,
  body: call.body,
  ifMatch: call.ifMatch ?? null,
  nowMs: call.nowMs,
  credential: { kind: caller.credential.kind, publicId: caller.credential.publicId },
  source: auditSourceOf(origin),
});

/** Returns the caller with the present rights of the credential; undefined if the credential is no longer valid. */
export type RestoredCaller = (credential: StoredCall['credential']) => Promise<Caller | undefined>;

/** Executes dry runs for jobs, with the rights of the caller that requested them. */
export class StoredCalls {
  #operations: ReadonlyMap<string, Operation> = new Map();
  #restoreCaller: RestoredCaller | undefined;

  attach(operations: readonly Operation[], restoreCaller: RestoredCaller): void {
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
    this.#restoreCaller = restoreCaller;
  }

  async dryRun(storedCall: StoredCall, run: Pick<Call, 'signal'> & Required<Pick<Call, 'follow'>>): Promise<Answer> {
    const operation = this.#operations.get(storedCall.operationId);
    if (!operation || !this.#restoreCaller) throw new Error(`this node does not serve ${storedCall.operationId}`);
    const caller = await this.#restoreCaller(storedCall.credential);
    if (!caller) throw new Failure('unauthenticated', 'The token or session that requested this is no longer valid.');
    refuseWithoutRight(operation, caller);
    const { id, parameters, query, body, ifMatch, nowMs, source } = storedCall;
    return operation.run({
      operation,
      caller,
      origin: { ...source, accountId: caller.accountId, rights: caller.rights, limits: caller.limits },
      id,
      parameters,
      query,
      body,
      ifMatch: ifMatch ?? undefined,
      idempotency: undefined,
      dryRun: true,
      nowMs,
      ...run,
    });
  }
}
