import type { Declaration } from '../declare/declaration.ts';
import type { Answer, Call, Operation, QueryParameter, Uploads } from '../declare/operation.ts';
import type { PermissionKey, Verb } from '../declare/permissions.ts';
import type { ObjectShape, Shape } from '../declare/shape.ts';
import type { StatusWord } from '../failure.ts';

/** An operation that is not a pattern: the shapes of its input and its result, and one function. */
export interface Action<C> {
  kind: 'action';
  of: Declaration;
  /** Kebab-case; the second part of the operationId, after the name of the declaration. */
  name: string;
  method: Operation['method'];
  /** Appended to the path of the resource, such as `/validate/{id}`. */
  path: string;
  doc: string;
  /**
   * The verb of the required permission, if it differs from that of the method: GET views, DELETE deletes, POST
   * modifies.
   */
  verb?: Verb | 'save';
  permission?: PermissionKey;
  /** Every signed-in caller may run it: it concerns only the caller's own data. */
  signedIn?: boolean;
  /** The action runs without a transaction, because it contacts another system or reads files. */
  transaction?: false;
  /** It waits for another system, whose failure is part of the result. */
  external?: true;
  /**
   * For an action that writes without a transaction: where a client reads the outcome of a request whose node stopped.
   * The operation accepts `Idempotency-Key` and `dryRun`; the action handles the dry run itself, without contacting the
   * other system.
   */
  outcome?: string;
  /**
   * Contacts another system before the transaction opens, and throws to refuse the request. Not called in a dry run.
   */
  precheck?(call: Call, context: C): Promise<void>;
  /** Set if the method does not show it: true for a GET that changes something, false for a POST that does not. */
  writes?: boolean;
  /** Shapes of the path parameters other than `{id}`. */
  pathShapes?: Readonly<Record<string, Shape>>;
  query?: Readonly<Record<string, QueryParameter>>;
  body?: Shape;
  bodyOptional?: boolean;
  /** The shape of the returned elements; 'record': that of the records of the resource. */
  result?: Shape | 'record';
  counted?: boolean;
  /** Takes list parameters. */
  listed?: boolean;
  /** The field of a listed result that identifies its elements, if it is not the identity of the resource. */
  identity?: string;
  success?: 200 | 201 | 202;
  /** It starts a background task: the response is 202 with the location of the task. */
  queues?: boolean;
  /** The shape of the result of a dry run, if it is not a record of the resource. */
  dryRunResult?: ObjectShape;
  /**
   * The write can change the access of connections: a dry run returns records of this shape, the live connections that
   * would change.
   */
  impact?: ObjectShape;
  /** Some of its writes cannot change a connection, and return `hasNoImpact`. */
  impactMayBeNone?: true;
  /** It saves a record of the resource: a dry run returns the record as it would be. */
  saves?: boolean;
  errors?: readonly StatusWord[];
  example?: unknown;
  /** The files that it accepts. Such an action needs `transaction: false`, because files are read while they arrive. */
  uploads?: Uploads;
  run(call: Call, context: C): Promise<readonly unknown[] | Answer | undefined>;
}
