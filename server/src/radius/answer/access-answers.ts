import { randomUUID } from 'node:crypto';
import type { Runtime } from '../../context.ts';
import { unavailable } from '../../kernel/failure.ts';
import {
  type Decision,
  type DecisionContext,
  effectiveRole,
  type Place,
  writePhrase,
} from '../../policy/decide/decide.service.ts';
import { type RadiusReply, radiusReply } from '../../policy/explain/explain.service.ts';
import {
  connectionAt,
  decisionContext,
  type PolicySnapshots,
  type Snapshot,
  unknownFacts,
} from '../../policy/snapshot/snapshot.service.ts';
import type { EngineAttribute, PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import type { Cause } from '../radius-response/radius-response.ts';
import type { AccessDevice } from './access-devices.ts';
import { type AccessRequest, readRequest } from './access-request.ts';
import { FactsBatch } from './facts-batch.ts';
import { ReplyBook } from './reply-book.ts';
import { RequestPlaces } from './request-places.ts';
import type { AnswerStore } from './store-answers.ts';
import { UnknownMacs } from './unknown-macs.ts';
import type { AnsweredRequest, WrittenAnswers } from './write-answers.ts';

/** A packet of an access device. */
export interface Asked {
  device: AccessDevice;
  attributes: PacketAttributes;
}

interface Decided {
  decisionID: string;
  decision: Decision;
  context: DecisionContext;
  reply: RadiusReply;
}

/** How somebody proved who they are. */
interface Proof {
  authType: 'MAB' | 'DOT1X';
  method: string;
}

/** Answers the access requests that the engine asks about. */
export class AccessAnswers {
  readonly #policies: PolicySnapshots;
  readonly #facts: FactsBatch;
  readonly #places: RequestPlaces;
  readonly #unknown: UnknownMacs;
  readonly #book: ReplyBook;
  readonly #store: AnswerStore;
  readonly #log: WrittenAnswers;
  readonly #clock: () => number;

  constructor(parts: {
    runtime: Runtime;
    policies: PolicySnapshots;
    store: AnswerStore;
    log: WrittenAnswers;
    clock: () => number;
    monotonicMs: () => number;
  }) {
    const { runtime, policies, monotonicMs } = parts;
    this.#policies = policies;
    this.#facts = new FactsBatch((macs) => policies.facts('mac', macs));
    this.#places = new RequestPlaces(runtime, async () => (await policies.latest()).topology);
    this.#unknown = new UnknownMacs(runtime, monotonicMs);
    this.#book = new ReplyBook(runtime.pool, monotonicMs);
    this.#store = parts.store;
    this.#log = parts.log;
    this.#clock = parts.clock;
  }

  /** Who has no credential to check is decided at once; of the others the engine learns how to check it. */
  async authorize({ device, attributes }: Asked): Promise<readonly EngineAttribute[]> {
    const begunMs = performance.now();
    const request = readRequest(attributes);
    const answered: AnsweredRequest = {
      device,
      request,
      method: request.isMab ? 'MAB' : methodOf(attributes),
      begunMs,
    };
    if (request.isMab) return this.#admit(answered, { authType: 'MAB', method: 'MAB' });
    return this.#reject(answered, 'UNKNOWN_USER', 'There is no network user of that name.');
  }

  /** The access decision for somebody who proved who they are. */
  async #admit(answered: AnsweredRequest, proof: Proof): Promise<readonly EngineAttribute[]> {
    const { request, device } = answered;
    if (request.mac === null)
      return this.#reject(answered, 'OTHER', 'The request has no MAC address in Calling-Station-Id.');
    const { decisionID, decision, context, reply } = await this.#decide(device, request, request.mac, proof);
    const message = writePhrase(decision.reason, ({ name }) => name);
    const isAccepted = reply.code === 'Access-Accept';
    this.#store.add({
      ...storedOf(decision, context, proof),
      isAccepted,
      decision: { decisionID, ...shownOf(decision), message },
    });
    const portName = context.connection.port?.name ?? null;
    this.#log.add({ ...answered, portName, decisionID }, isAccepted ? 'NONE' : causeOf(decision), message);
    return isAccepted ? [...accepted, ...reply.attributes.map(inReply)] : rejected;
  }

  async #decide(device: AccessDevice, request: AccessRequest, mac: string, proof: Proof): Promise<Decided> {
    const snapshot = this.#policies.current;
    if (!snapshot) throw unavailable('The policies are not loaded yet.');
    const [facts, place] = await Promise.all([
      this.#facts.of(mac),
      this.#places.of(snapshot.topology, device, request),
    ]);
    const known = facts ?? (await this.#learned(mac, place));
    const connection = connectionAt(place, typeOf(place, proof), { radius: request.attributes });
    const context = decisionContext(known ?? unknownFacts(mac), connection, this.#clock());
    const decision = this.#policies.decide(snapshot, context);
    const decisionID = randomUUID();
    const reply = await this.#reply(snapshot, decision, context, {
      decisionID,
      nasPort: request.portNumber ?? undefined,
    });
    return { decisionID, decision, context, reply };
  }

  /** A rogue of an address that nobody knew; nothing where none may be made. */
  async #learned(mac: string, { device, port }: Place) {
    const isLearned = await this.#unknown.learn(mac, { deviceID: device.id, portID: port!.id });
    return isLearned ? this.#facts.of(mac) : undefined;
  }

  async #reply(
    { set }: Snapshot,
    decision: Decision,
    context: DecisionContext,
    asked: { decisionID: string; nasPort: string | undefined },
  ): Promise<RadiusReply> {
    const device = await this.#book.device(context.connection.device);
    if (!device) throw new Error(`device ${context.connection.device.id} is gone`);
    const who = {
      ...asked,
      mac: decision.mac,
      userName: decision.userName ?? undefined,
      role: set.nameOf('role', effectiveRole(set, context)).name,
    };
    return radiusReply((wanted) => this.#book.groups(wanted), decision, context.connection, device, who);
  }

  #reject(answered: AnsweredRequest, cause: Cause, message: string): readonly EngineAttribute[] {
    this.#log.add(answered, cause, message);
    return rejected;
  }
}

const control = (attribute: string, value: string): EngineAttribute => ({
  list: 'control',
  attribute,
  values: [value],
});

const accepted = [control('Auth-Type', 'Accept'), control('Portreeve-Verdict', 'ACCEPT')];
const rejected = [control('Auth-Type', 'Reject'), control('Portreeve-Verdict', 'REJECT')];

const inReply = ({ attribute, tag, values }: RadiusReply['attributes'][number]): EngineAttribute => ({
  list: 'reply',
  attribute,
  tag,
  values,
});

const typeOf = ({ port }: Place, { authType }: Proof) =>
  `${port?.ssid ? 'WIRELESS' : 'WIRED'}_${authType === 'MAB' ? 'MAB' : '8021X'}` as const;

const methodOf = (attributes: PacketAttributes): string =>
  attributes.has('CHAP-Password') ? 'CHAP' : attributes.has('MS-CHAP-Challenge') ? 'MS-CHAP' : 'PAP';

const isVlan = (type: string): boolean => type === 'VLAN_ID' || type === 'VLAN_NAME';

function storedOf(decision: Decision, { connection }: DecisionContext, { authType }: Proof) {
  const { mac, adapterID, value, accessState, generation, outcome } = decision;
  return {
    mac,
    adapterID,
    portID: connection.port!.id,
    authType,
    outerEapType: null,
    innerEapType: null,
    vlan: value && isVlan(value.accessType) ? value.accessValue : '',
    accessState,
    generation,
    isEnforced: outcome !== 'NOT_ENFORCED',
  };
}

/** What is kept of a decision. */
const shownOf = ({
  outcome,
  accessState,
  step,
  policyID,
  policyName,
  configurationID,
  logicalNetwork,
  value,
}: Decision) => ({
  outcome,
  accessState,
  step,
  policyID,
  policyName,
  configurationID,
  logicalNetwork: logicalNetwork && { id: logicalNetwork.id, name: logicalNetwork.name },
  value: value && { accessType: value.accessType, accessValue: value.accessValue, source: value.source },
});

/** Why a decision denied. */
function causeOf({ step, isUnresolved }: Decision): Cause {
  if (step === 2) return 'HOST_DISABLED';
  return isUnresolved ? 'NO_POLICY' : 'OTHER';
}
