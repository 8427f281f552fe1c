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

/** EAP type MSCHAPv2 and its code Success, by which a supplicant confirms that its password was accepted (draft-kamath-pppext-eap-mschapv2). */
const mschapv2 = 26;
const successConfirmed = 3;

/** True for a packet that checks no password, because the engine compared it in the previous packet. */
function isConfirmation(attributes: PacketAttributes): boolean {
  const hex = attributes.get('EAP-Message')?.join('').replaceAll('0x', '') ?? '';
  const packet = Buffer.from(hex, 'hex');
  return packet[4] === mschapv2 && packet[5] === successConfirmed;
}

/** Further attempts could not be answered before the engine's timeout. */
const waitingMax = 200;

/** Limits guesses of network passwords. `auth/network-logins.ts` counts the attempts. */
export class PasswordGuesses {
  readonly #runtime: Runtime;
  readonly #afterReply: AfterReply;
  /** One queue per account: the database serialises the attempts of an account, so parallel ones would only occupy connections. */
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
    if (queue.waiting >= waitingMax) throw unavailable('Too many logins of this account are waiting.');
    const seconds = await queue
      .run(() => this.#runtime.transact(systemOrigin('radius'), (tx) => claimNetworkLogin(tx, login)))
      .finally(() => {
        if (queue.waiting === 0) this.#queues.delete(accountID);
      });
    return seconds === undefined ? undefined : lockedReason(seconds);
  }

  /** Resets the count after a right password. */
  succeeded(accountID: number, { mac }: AccessRequest): void {
    this.#afterReply.loginSucceeded({ accountID, mac: mac ?? '' });
  }

  failed({ userName, mac }: AccessRequest): void {
    this.#afterReply.loginFailed({ userName: storable(userName, nameMax), mac: mac ?? '' });
  }
}
