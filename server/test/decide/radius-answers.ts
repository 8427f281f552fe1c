import type { Service } from '../../src/node/start-service.ts';
import type { EngineAttribute, PacketAttributes } from '../../src/protocols/radius-engine/rest-calls.ts';
import {
  type AccessDevice,
  AccessRequestHandler,
  AccessRequestStore,
  WrittenAnswers,
} from '../../src/radius/access-request/access-request.service.ts';

/** A reply as explain shows it. */
export interface Reply {
  code: 'Access-Accept' | 'Access-Reject';
  attributes: { name: string; value: string }[];
}

/** The replies of a node to its RADIUS engine, without the engine. */
export class RadiusAnswers {
  readonly #store: AccessRequestStore;
  readonly #log: WrittenAnswers;
  readonly #answers: AccessRequestHandler;

  constructor({ runtime, policies, metrics }: Service) {
    const onError = (error: Error) => {
      throw error;
    };
    this.#store = new AccessRequestStore(runtime, onError);
    this.#log = new WrittenAnswers(runtime, 'node-1', metrics, onError);
    const clocks = { clock: () => Date.now(), monotonicMs: () => performance.now() };
    this.#answers = new AccessRequestHandler({ runtime, policies, store: this.#store, log: this.#log, ...clocks });
  }

  /** Decides a MAC authentication; its changes are stored when it returns. */
  async mab(
    device: Pick<AccessDevice, 'id' | 'name'>,
    mac: string,
    attributes: Record<string, string>,
  ): Promise<Reply> {
    const name = mac.replaceAll(':', '').toLowerCase();
    const packet = packetOf(
      { ...attributes, 'User-Name': name, 'User-Password': name, 'Service-Type': 'Call-Check' },
      mac,
    );
    return this.#stored(this.#answers.authorize({ ...asking(device), attributes: packet, result: '' }));
  }

  /** Decides a login that the engine has accepted; its changes are stored when it returns. */
  async login(
    device: Pick<AccessDevice, 'id' | 'name'>,
    mac: string,
    attributes: Record<string, string>,
  ): Promise<Reply> {
    const packet = packetOf(attributes, mac);
    return this.#stored(this.#answers.postAuth({ ...asking(device), attributes: packet, result: 'Access-Accept' }));
  }

  async #stored(answer: Promise<readonly EngineAttribute[]>): Promise<Reply> {
    const reply = replyOf(await answer);
    await this.#store.flush();
    return reply;
  }

  async close(): Promise<void> {
    await this.#store.close();
    await this.#log.close();
  }
}

const asking = ({ id, name }: Pick<AccessDevice, 'id' | 'name'>) => ({
  device: { id, name, address: '127.0.0.9', secret: 'secret-of-nas', profileID: 1, mustSign: true },
  isTest: false,
});

const packetOf = (attributes: Record<string, string>, mac: string): PacketAttributes =>
  new Map(
    Object.entries({ ...attributes, 'Calling-Station-Id': mac }).map(([attribute, value]) => [attribute, [value]]),
  );

function replyOf(attributes: readonly EngineAttribute[]): Reply {
  const verdict = attributes.find(({ attribute }) => attribute === 'Portreeve-Verdict')?.values[0];
  return {
    code: verdict === 'ACCEPT' ? 'Access-Accept' : 'Access-Reject',
    attributes: attributes
      .filter(({ list }) => list === 'reply')
      .flatMap(({ attribute, values }) => values.map((value) => ({ name: attribute, value: String(value) }))),
  };
}
