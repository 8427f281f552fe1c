import { type AuditSource, auditSourceOf, type Caller } from '../declare/caller.ts';
import type { Answer, Call, Operation } from '../declare/operation.ts';
import { Failure } from '../failure.ts';
import { refuseWithoutRight } from './rights-of-call.ts';

/** A call as a job carries it. Rights are not among it: they are looked up again. */
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

/** Finds who called, with the rights that the credential has by now; nothing when it is no longer valid. */
export type RestoredCaller = (credential: StoredCall['credential']) => Promise<Caller | undefined>;

/** Carries out dry runs for jobs, each as who asked for it. */
export class StoredCalls {
  #operations: ReadonlyMap<string, Operation> = new Map();
  #callerAgain: RestoredCaller | undefined;

  attach(operations: readonly Operation[], callerAgain: RestoredCaller): void {
    this.#operations = new Map(operations.map((operation) => [operation.operationId, operation]));
    this.#callerAgain = callerAgain;
  }

  async dryRun(kept: StoredCall, run: Pick<Call, 'signal'> & Required<Pick<Call, 'follow'>>): Promise<Answer> {
    const operation = this.#operations.get(kept.operationId);
    if (!operation || !this.#callerAgain) throw new Error(`this node does not serve ${kept.operationId}`);
    const caller = await this.#callerAgain(kept.credential);
    if (!caller) throw new Failure('unauthenticated', 'The token or session that asked for this is no longer valid.');
    refuseWithoutRight(operation, caller);
    const { id, parameters, query, body, ifMatch, nowMs, source } = kept;
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
