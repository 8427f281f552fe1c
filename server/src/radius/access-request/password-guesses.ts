import { claimNetworkLogin } from '../../auth/auth.service.ts';
import type { Runtime } from '../../context.ts';
import { systemOrigin } from '../../kernel/declare/caller.ts';
import { unavailable } from '../../kernel/failure.ts';
import { SerialQueue } from '../../kernel/values/serial-queue.ts';
import type { PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import type { AfterReply } from './after-reply.ts';
import { lockedReason } from './failure-cause.ts';
import type { AccessRequest } from './parse-access-request.ts';
import { nameMax, storable } from './storable.ts';

/** EAP type of MSCHAPv2, and its packet by which a supplicant confirms that its password was accepted (draft-kamath-pppext-eap-mschapv2). */
const mschapv2 = 26;
const successConfirmed = 3;

/** True if the packet checks no password: the engine compared it one packet before. */
function isConfirmation(attributes: PacketAttributes): boolean {
  const hex = attributes.get('EAP-Message')?.join('').replaceAll('0x', '') ?? '';
  const packet = Buffer.from(hex, 'hex');
  return packet[4] === mschapv2 && packet[5] === successConfirmed;
}

/** More than these would not be answered in the time that the engine waits. */
const waitingMax = 200;

/** Limits how many network passwords are guessed. The attempts are counted in `auth/network-logins.ts`. */
export class PasswordGuesses {
  readonly #runtime: Runtime;
  readonly #afterReply: AfterReply;
  /** Attempts of an account follow each other in the database, so more than one would only occupy connections. */
  readonly #queues = new Map<number, SerialQueue>();

  constructor(runtime: Runtime, afterReply: AfterReply) {
    this.#runtime = runtime;
    this.#afterReply = afterReply;
  }

  /** Counts an attempt before the engine gets the password. Returns the reason of the reject if the login is locked. */
  async claim(accountID: number, { mac }: AccessRequest, attributes: PacketAttributes): Promise<string | undefined> {
    if (isConfirmation(attributes)) return undefined;
    const login = { accountID, mac: mac ?? '' };
    const queue = this.#queues.get(accountID) ?? new SerialQueue();
    this.#queues.set(accountID, queue);
    if (queue.waiting >= waitingMax) throw unavailable('Too many logins of this account wait.');
    const seconds = await queue
      .run(() => this.#runtime.transact(systemOrigin('radius'), (tx) => claimNetworkLogin(tx, login)))
      .finally(() => {
        if (queue.waiting === 0) this.#queues.delete(accountID);
      });
    return seconds === undefined ? undefined : lockedReason(seconds);
  }

  /** The engine compared the password, and it was right. */
  succeeded(accountID: number, { mac }: AccessRequest): void {
    this.#afterReply.loginSucceeded({ accountID, mac: mac ?? '' });
  }

  failed({ userName, mac }: AccessRequest): void {
    this.#afterReply.loginFailed({ userName: storable(userName, nameMax), mac: mac ?? '' });
  }
}
