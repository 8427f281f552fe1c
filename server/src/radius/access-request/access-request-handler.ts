import { randomUUID } from 'node:crypto';
import type { Runtime } from '../../context.ts';
import { unavailable } from '../../kernel/failure.ts';
import {
  byAddress,
  type Decision,
  type DecisionContext,
  effectiveRole,
  type Place,
  type UserFacts,
  writePhrase,
} from '../../policy/decide/decide.service.ts';
import { type RadiusReply, radiusReply } from '../../policy/explain/explain.service.ts';
import {
  connectionAt,
  decisionContext,
  openSession,
  type PolicySnapshots,
  type Snapshot,
  unknownFacts,
} from '../../policy/snapshot/snapshot.service.ts';
import type { EngineAttribute, PacketAttributes } from '../../protocols/radius-engine/rest-calls.ts';
import { homeAttributes } from '../engine-files/engine-files.ts';
import { isVlan } from '../radius-attribute-group/radius-attribute-group.service.ts';
import type { Cause } from '../radius-response/radius-response.ts';
import type { AccessDevice } from './access-devices.ts';
import { isLogin } from './auth-type.ts';
import { FactsBatch } from './facts-batch.ts';
import { failureCause } from './failure-cause.ts';
import { writeNote } from './login-test.ts';
import { readNetworkUser } from './network-users.ts';
import { type AccessRequest, readRequest } from './parse-access-request.ts';
import { PasswordGuesses } from './password-guesses.ts';
import { homeOf, type Proof, passwordOwnerAttribute, proofByHome, proofOf } from './proof.ts';
import { ReplyCache } from './reply-book.ts';
import { RequestPlaces } from './request-places.ts';
import { methodMax, nameMax, storable } from './storable.ts';
import type { AccessRequestStore } from './store-answers.ts';
import { UnknownMacs } from './unknown-macs.ts';
import type { AnsweredRequest, WrittenAnswers } from './write-answers.ts';

/** A request of the engine about a packet of an access device. */
export interface EngineRequest {
  device: AccessDevice;
  attributes: PacketAttributes;
  /** Type of the reply that the engine will send; empty before it is decided. */
  result: string;
  /** True for a test login: nothing is stored, and the reply has the cause. */
  isTest: boolean;
}

interface Decided {
  decisionID: string;
  decision: Decision;
  context: DecisionContext;
  reply: RadiusReply;
}

const addressAlone: Proof = { ...byAddress, authType: 'MAB', userName: null, fault: '' };

/** Decides the access requests that the engine sends. */
export class AccessRequestHandler {
  readonly #runtime: Runtime;
  readonly #policies: PolicySnapshots;
  readonly #facts: FactsBatch;
  readonly #places: RequestPlaces;
  readonly #unknown: UnknownMacs;
  readonly #book: ReplyCache;
  readonly #store: AccessRequestStore;
  readonly #log: WrittenAnswers;
  readonly #guesses: PasswordGuesses;
  readonly #clock: () => number;

  constructor(options: {
    runtime: Runtime;
    policies: PolicySnapshots;
    store: AccessRequestStore;
    log: WrittenAnswers;
    /** Shared with accounting, so that both have one limit. */
    unknown?: UnknownMacs;
    clock: () => number;
    monotonicMs: () => number;
  }) {
    const { runtime, policies, monotonicMs } = options;
    this.#runtime = runtime;
    this.#policies = policies;
    this.#facts = new FactsBatch((macs) => policies.facts('mac', macs));
    this.#places = new RequestPlaces(runtime, () => policies.latest(), monotonicMs);
    this.#unknown = options.unknown ?? new UnknownMacs(runtime, monotonicMs);
    this.#book = new ReplyCache(runtime.pool, monotonicMs);
    this.#store = options.store;
    this.#log = options.log;
    this.#guesses = new PasswordGuesses(runtime, options.log.afterReply);
    this.#clock = options.clock;
  }

  /** Decides MAC authentication. For other requests returns the credential that the engine checks. */
  async authorize({ device, attributes, isTest }: EngineRequest): Promise<readonly EngineAttribute[]> {
    const begunMs = performance.now();
    const request = readRequest(attributes);
    if (request.isMab) return this.#admit({ device, request, method: 'MAB', begunMs, isTest }, addressAlone);
    return this.#credentialOf(request, { attributes, isTest });
  }

  /** Returns the credential for a login inside a tunnel, where there is no MAC authentication. */
  async authorizeInner(engineRequest: EngineRequest): Promise<readonly EngineAttribute[]> {
    const request = readRequest(engineRequest.attributes);
    const credential = await this.#credentialOf(request, engineRequest);
    // At the end of the tunnel a name counts as proven only if it is the owner of the password that the engine compared.
    return [...credential, passwordOwner(request.userName)];
  }

  async #credentialOf(
    request: AccessRequest,
    { attributes, isTest }: Pick<EngineRequest, 'attributes' | 'isTest'>,
  ): Promise<readonly EngineAttribute[]> {
    const user = await readNetworkUser(this.#runtime, request.userName);
    const refusal = user ? user.refusal : 'UNKNOWN_USER';
    // The engine returns the reason once it has rejected the request: inside a tunnel that is several packets later.
    if (refusal) return [control('Auth-Type', 'Reject'), control('Portreeve-Reason', refusal)];
    if (user!.password === null) return [control('Auth-Type', 'Reject'), control('Portreeve-Reason', 'BAD_PASSWORD')];
    const lock = isTest ? undefined : await this.#guesses.claim(user!.id, request, attributes);
    if (lock) return [control('Auth-Type', 'Reject'), control('Portreeve-Reason', lock)];
    return [control('Cleartext-Password', user!.password)];
  }

  /** Decides access after the engine has checked the credential, or records the cause of the reject. */
  async postAuth({ device, attributes, result, isTest }: EngineRequest): Promise<readonly EngineAttribute[]> {
    const begunMs = performance.now();
    const request = readRequest(attributes);
    const home = homeOf(attributes);
    const proof = home === null ? proofOf(request, attributes) : proofByHome;
    const answered: AnsweredRequest = {
      device,
      request: { ...request, userName: proof.userName ?? request.userName },
      method: home === null ? (proof.innerEapType ?? proof.outerEapType ?? methodOf(attributes)) : 'EAP',
      outerEapType: proof.outerEapType,
      begunMs,
      isTest,
      login: { isAuthenticated: false, userID: null },
    };
    if (home !== null) return this.#answerForwarded(answered, result);
    if (result !== 'Access-Accept') {
      const { cause, message } = failureCause(
        attributes.get('Portreeve-Reason')?.[0],
        attributes.get('Module-Failure-Message') ?? [],
        proof.innerEapType ?? proof.outerEapType,
      );
      if (cause === 'BAD_PASSWORD' && !isTest) this.#guesses.failed(answered.request);
      return this.#conclude(answered, cause, message);
    }
    if (proof.userName === null) return this.#reject(answered, 'CERT_NAME', proof.fault);
    if (proof.userName.includes('\0'))
      return this.#reject(answered, 'CERT_NAME', 'The name in the credential is not valid.');
    const user = await readNetworkUser(this.#runtime, proof.userName);
    // Only a certificate needs no account. The account of a password may have been deleted since the engine compared it.
    if (!user && proof.outerEapType !== 'TLS')
      return this.#reject(answered, 'UNKNOWN_USER', failureCause('UNKNOWN_USER', []).message);
    // A certificate does not show that an account has been closed.
    if (user?.refusal) return this.#reject(answered, user.refusal, failureCause(user.refusal, []).message);
    if (user && proof.outerEapType !== 'TLS' && !isTest) this.#guesses.succeeded(user.id, request);
    return this.#admit(answered, proof);
  }

  /**
   * Decides access after a home server has replied. No local account is looked up: the name is one of the home server, which could
   * otherwise log in as any user of this service.
   */
  async #answerForwarded(answered: AnsweredRequest, result: string): Promise<readonly EngineAttribute[]> {
    if (result !== 'Access-Accept')
      return this.#conclude(answered, 'OTHER', 'The RADIUS server of the user domain rejected the login.');
    return this.#admit(answered, proofByHome);
  }

  /** Decides access for a proven identity. */
  async #admit(answered: AnsweredRequest, proof: Proof): Promise<readonly EngineAttribute[]> {
    const { request, isTest } = answered;
    if (request.mac === null)
      return this.#reject(answered, 'OTHER', 'The request has no MAC address in Calling-Station-Id.');
    const { decisionID, decision, context, reply } = await this.#decide(answered, request.mac, proof);
    const message = writePhrase(decision.reason, ({ name }) => name);
    const isAccepted = reply.code === 'Access-Accept';
    if (!isTest)
      this.#store.add({
        userName: storable(proof.userName, nameMax),
        ...loginOf(proof),
        ...storedOf(decision, context),
        isAccepted,
        decision: { decisionID, ...shownOf(decision), message },
      });
    const cause = isAccepted ? 'NONE' : causeOf(decision);
    const concluded: AnsweredRequest = {
      ...answered,
      portName: context.connection.port?.name ?? null,
      decisionID,
      hostID: context.host.id,
      ...(answered.login && { login: { isAuthenticated: true, userID: context.loggedOnUser?.id ?? null } }),
      ...(decision.isUnresolved && { unresolved: decision.logicalNetwork?.name ?? decision.accessState ?? '' }),
    };
    const notes = this.#conclude(concluded, cause, message);
    if (!isAccepted) return [...rejected, ...notes];
    return [
      ...accepted,
      ...(keepsHomeAccess(decision) ? keepHomeAccess : []),
      ...reply.attributes.map(inReply),
      ...notes,
    ];
  }

  async #decide({ device, request, isTest }: AnsweredRequest, mac: string, proof: Proof): Promise<Decided> {
    const { current } = this.#policies;
    if (!current) throw unavailable('The policies are not loaded yet.');
    const [facts, { snapshot, place }] = await Promise.all([
      this.#facts.of(mac),
      isTest ? this.#places.known(current, device, request) : this.#places.of(current, device, request),
    ]);
    const storedFacts = facts ?? (isTest ? undefined : await this.#learned(mac, place));
    const factsToDecide = storedFacts ?? { ...unknownFacts(mac), connection: null };
    const user = proof.userName === null ? null : await this.#policies.user(proof.userName);
    const session = { ...openSession(place, factsToDecide), radius: request.attributes };
    const connection = connectionAt(place, typeOf(request, proof), session);
    const context = decisionContext(factsBy(factsToDecide, user), connection, this.#clock(), loginOf(proof));
    const decision = this.#policies.decide(snapshot, context);
    const decisionID = randomUUID();
    const reply = await this.#reply(snapshot, decision, context, {
      decisionID,
      nasPort: request.portNumber ?? undefined,
    });
    return { decisionID, decision, context, reply };
  }

  /** Creates a rogue for an unknown address and returns its facts; undefined if none may be created. */
  async #learned(mac: string, { device, port }: Place) {
    const isLearned = await this.#unknown.learn(mac, { deviceID: device.id, portID: port!.id });
    return isLearned ? this.#facts.of(mac) : undefined;
  }

  async #reply(
    { set }: Snapshot,
    decision: Decision,
    context: DecisionContext,
    requestVariables: { decisionID: string; nasPort: string | undefined },
  ): Promise<RadiusReply> {
    const device = await this.#book.device(context.connection.device);
    if (!device) throw new Error(`device ${context.connection.device.id} is gone`);
    const session = {
      ...requestVariables,
      mac: decision.mac,
      userName: decision.userName ?? undefined,
      role: set.nameOf('role', effectiveRole(set, context)).name,
    };
    return radiusReply((groupIDs) => this.#book.groups(groupIDs), decision, device, session);
  }

  #reject(answered: AnsweredRequest, cause: Cause, message: string): readonly EngineAttribute[] {
    return [...rejected, ...this.#conclude(answered, cause, message)];
  }

  /** Logs the reply with its cause. For a test returns them as an attribute of the reply instead. */
  #conclude(answered: AnsweredRequest, cause: Cause, message: string): readonly EngineAttribute[] {
    if (answered.isTest) return [writeNote({ cause, message, tookMs: performance.now() - answered.begunMs })];
    this.#log.add(answered, cause, message);
    return [];
  }
}

const control = (attribute: string, value: string): EngineAttribute => ({
  list: 'control',
  attribute,
  values: [value],
});

const accepted = [control('Auth-Type', 'Accept'), control('Portreeve-Verdict', 'ACCEPT')];
const rejected = [control('Auth-Type', 'Reject'), control('Portreeve-Verdict', 'REJECT')];

/** The engine uses it only for a login that a home server accepted. */
const keepHomeAccess = [control(homeAttributes.keepsAccess, 'yes')];

/** True if no policy and no isolation decides the access, so that the access of a home server applies. */
const keepsHomeAccess = ({ outcome, policyID, value }: Decision): boolean =>
  (outcome === 'GRANT' || outcome === 'NOT_ENFORCED') && policyID === null && value === null;

const inReply = ({ attribute, tag, values }: RadiusReply['attributes'][number]): EngineAttribute => ({
  list: 'reply',
  attribute,
  tag,
  values,
});

const passwordOwner = (userName: string): EngineAttribute => ({
  list: 'outer.session-state',
  attribute: passwordOwnerAttribute,
  values: [userName],
});

const typeOf = ({ ssid }: AccessRequest, { authType }: Proof) =>
  authType === 'VPN'
    ? authType
    : (`${ssid !== null ? 'WIRELESS' : 'WIRED'}_${authType === 'DOT1X' ? '8021X' : 'MAB'}` as const);

const methodOf = (attributes: PacketAttributes): string =>
  attributes.has('CHAP-Password') ? 'CHAP' : attributes.has('MS-CHAP-Challenge') ? 'MS-CHAP' : 'PAP';

/** The login as it is stored, so that later decisions compare the same texts. */
const loginOf = ({ authType, outerEapType, innerEapType }: Proof) => ({
  authType,
  outerEapType: storable(outerEapType, methodMax),
  innerEapType: storable(innerEapType, methodMax),
});

type KnownFacts = Pick<DecisionContext, 'adapter' | 'host' | 'loggedOnUser' | 'owner'>;

/**
 * Returns the facts after the login: a proven user is logged on and authenticates the host. Without a user, an earlier login of the adapter
 * no longer counts.
 */
function factsBy(facts: KnownFacts, user: UserFacts | null): KnownFacts {
  const { adapter, host, owner } = facts;
  const { authType } = adapter.login;
  const isAuthenticated = user !== null || (host.authenticated && !isLogin(authType));
  return {
    adapter,
    host: { ...host, authenticated: isAuthenticated, authenticatedUntilMs: user ? null : host.authenticatedUntilMs },
    loggedOnUser: user ?? (isLogin(authType) ? null : facts.loggedOnUser),
    owner,
  };
}

function storedOf(decision: Decision, { connection }: DecisionContext) {
  const { mac, adapterID, value, accessState, generation, outcome } = decision;
  return {
    mac,
    adapterID,
    portID: connection.port!.id,
    vlan: value && isVlan(value.accessType) ? value.accessValue : '',
    accessState,
    generation,
    isEnforced: outcome !== 'NOT_ENFORCED',
  };
}

/** Returns the properties of a decision that are stored. */
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

/** Returns the cause of a denial. */
function causeOf({ step, isUnresolved }: Decision): Cause {
  if (step === 2) return 'HOST_DISABLED';
  return isUnresolved ? 'NO_POLICY' : 'OTHER';
}
