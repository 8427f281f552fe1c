import type { Declaration } from '../declare/declaration.ts';
import type { Answer, Call, Operation, QueryParameter, Uploads } from '../declare/operation.ts';
import type { PermissionKey, Verb } from '../declare/permissions.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import type { StatusWord } from '../failure.ts';

/** An operation that is particular: what it takes, what it answers, and one small function. */
export interface Action<C> {
  kind: 'action';
  of: Declaration;
  /** Kebab-case; with the group's name it makes the operationId. */
  name: string;
  method: Operation['method'];
  /** Behind the group's path, such as `/validate/{id}`. */
  path: string;
  doc: string;
  /** Follows from the shape; said where that misleads. */
  verb?: Verb | 'save';
  permission?: PermissionKey;
  /** Every signed-in caller may: it concerns only what is their own. */
  signedIn?: boolean;
  /** The outside part it asks. Such an action gets no open transaction. */
  transaction?: false;
  /** It waits for a system that is not ours, whose failure is part of the answer. */
  external?: true;
  /**
   * Such an action that writes: where a client reads what became of a call whose node died. It takes `Idempotency-Key` and `dryRun`,
   * and answers a dry run itself, without a packet.
   */
  outcome?: string;
  /** What is asked of the outside world before the transaction opens; a refusal is thrown. A dry run asks nobody. */
  precheck?(call: Call, context: C): Promise<void>;
  /** A GET that changes something, or a POST that does not. */
  writes?: boolean;
  /** Shapes of the path parameters other than `{id}`. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query?: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  bodyOptional?: boolean;
  /** The shape of the answered elements; 'record': that of the group's records. */
  result?: Shape | 'record';
  counted?: boolean;
  /** Takes list parameters. */
  listed?: boolean;
  /** The field of a listed result that identifies its elements, if it is not the identity of the group. */
  identity?: string;
  success?: 200 | 201 | 202;
  /** What takes longer than a request is begun: then it answers 202 and where to follow it. */
  queues?: boolean;
  /** What a dry run answers, if not a record of the group. */
  dryRunResult?: ObjectShape;
  /** Changes who gets which access: a dry run answers records of this shape, the live connections that would change. */
  impact?: ObjectShape;
  /** Some of its writes have nothing to do with connections, and answer `hasNoImpact`. */
  impactMayBeNone?: true;
  /** Saves a record of the group: a dry run answers it as it would be. */
  saves?: boolean;
  errors?: readonly StatusWord[];
  example?: unknown;
  /** Takes files. Such an action reads them without a transaction, and so `asks` for them. */
  uploads?: Uploads;
  run(call: Call, context: C): Promise<readonly unknown[] | Answer | undefined>;
}
