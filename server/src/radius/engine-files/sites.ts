import { block, type Line } from './blocks.ts';
import type { EngineProfile } from './engine-files.ts';
import { macAuthenticationCondition } from './mac-authentication.ts';
import { testNetwork } from './test-clients.ts';

/** No answer: the access device asks its next server, or does what it does without one. Never a reject because we are broken. */
export const silence = (list: 'control' | 'outer.control'): Line[] => [
  block(`update ${list}`, ['&Response-Packet-Type := Do-Not-Respond']),
  list === 'control' ? 'handled' : 'reject',
];

/** The nodes that the engine calls: its own one, then this many other ones. */
export interface CalledNodes {
  otherNodes: number;
}

/** The module that asks another node, counted from 0. */
export const restOf = (module: string, index: number): string => `${module}_${index + 2}`;

/** A call to a node; its failure does not end the section. */
export const rest = (module = 'rest'): Line => block(module, ['fail = 1']);

/**
 * A call to the node, and while none has answered to each other one. Each stands inside the condition of the one before: a block that
 * ends with a failure would end its section, with a reject.
 */
const callAnyNode = ({ otherNodes }: CalledNodes, module: string, otherwise: readonly Line[]): Line[] => {
  const callFrom = (index: number): Line =>
    block('if (fail)', index === otherNodes ? [...otherwise] : [rest(restOf(module, index)), callFrom(index + 1)]);
  return [rest(module), callFrom(0)];
};

const callNodes = (nodes: CalledNodes, list: 'control' | 'outer.control', module = 'rest'): Line[] =>
  callAnyNode(nodes, module, silence(list));

/** What is rejected before anybody was asked, by the word that the node explains it by. */
export type EngineRefusal =
  | 'mabEnabled'
  | 'papEnabled'
  | 'chapEnabled'
  | 'noCredential'
  | 'noEapType'
  | 'repeatedName'
  | 'msChap1';

const refuse = (reason: EngineRefusal): Line[] => [
  block('update control', [`&Portreeve-Reason := "${reason}"`]),
  'reject',
];

const unless = (isAllowed: boolean, reason: EngineRefusal, lines: readonly Line[]): Line[] =>
  isAllowed ? [...lines] : refuse(reason);

/**
 * Where PAP is not allowed, tests of this node may use it: they have to prove a password by some method, and come by loopback. A device
 * whose MAC authentication is not recognised gets a reason of its own, because PAP is not what it needs.
 */
const refusePap: Line[] = [
  block(`if (&Packet-Src-IP-Address < ${testNetwork})`, ['noop']),
  block('elsif (&User-Name == &User-Password)', refuse('repeatedName')),
  block('else', refuse('papEnabled')),
];

/** MS-CHAPv1 sends what a password can be computed from in a day (DES with 56 bits): it is never accepted outside a tunnel. */
const msChap: Line[] = [block('if (&MS-CHAP2-Response)', ['mschap']), block('else', refuse('msChap1'))];

const authTypes = (...eap: string[]): Line[] => [
  block('Auth-Type PAP', ['pap']),
  block('Auth-Type CHAP', ['chap']),
  block('Auth-Type MS-CHAP', ['mschap']),
  ...eap,
];

/** What the rounds of EAP left, and only the last packet's decision may know. */
const certificateAttributes = ['Serial', 'Common-Name', 'Subject', 'Issuer', 'Expiration'].map(
  (part) => `TLS-Client-Cert-${part}`,
);

const copyAttributes = (source: string, attributes: readonly string[], target = 'request'): Line[] =>
  attributes.map((attribute) =>
    block(`if (&${source}${attribute})`, [block(`update ${target}`, [`&${attribute} := &${source}${attribute}[*]`])]),
  );

/** Who it is behind the name outside the tunnel, and by which method that was proven. */
const tunnelAttributes = ['Stripped-User-Name', 'Portreeve-Inner-Method', 'Portreeve-Password-Owner'];
/** Why the node, or the engine, did not let somebody in. */
const failures = ['Portreeve-Reason', 'Module-Failure-Message'];

/** What an access device of a profile talks to. */
export const outer = (
  { id, allowsMab, allowsPap, allowsChap }: EngineProfile,
  nodes: CalledNodes,
  hasEap: boolean,
): Line =>
  block(`server access-${id}`, [
    block('authorize', [
      // First in the list, so that it stands first in the reply.
      block('update reply', ['&Message-Authenticator := 0x00']),
      // Not inside a condition: it would only leave that.
      ...(hasEap ? [block(`eap-${id}`, ['ok = return', 'updated = return'])] : []),
      block('if (&EAP-Message)', hasEap ? ['reject'] : refuse('noEapType')),
      block(`elsif (${macAuthenticationCondition})`, unless(allowsMab, 'mabEnabled', ['noop'])),
      block('elsif (&CHAP-Password)', unless(allowsChap, 'chapEnabled', ['chap'])),
      block('elsif (&MS-CHAP-Challenge)', allowsChap ? msChap : refuse('chapEnabled')),
      block('elsif (&User-Password)', allowsPap ? ['noop'] : refusePap),
      block('else', refuse('noCredential')),
      ...callNodes(nodes, 'control'),
      'pap',
    ]),
    block('authenticate', authTypes(...(hasEap ? [`eap-${id}`] : []))),
    block('post-auth', [
      ...copyAttributes('session-state:', [...certificateAttributes, ...tunnelAttributes]),
      // A device known by its address was decided when it was authorised.
      block('if (!&control:Portreeve-Verdict)', callNodes(nodes, 'control')),
      block('if (!&control:Portreeve-Verdict)', silence('control')),
      block('elsif (&control:Portreeve-Verdict == "REJECT")', ['reject']),
      block('Post-Auth-Type REJECT', [
        'attr_filter.access_reject',
        ...copyAttributes('session-state:', [...certificateAttributes, ...tunnelAttributes, ...failures]),
        ...copyAttributes('control:', ['Portreeve-Reason']),
        // It runs for packets that get no answer, too; what was decided needs no second call.
        block('if (!&control:Response-Packet-Type && !&control:Portreeve-Verdict)', callAnyNode(nodes, 'rest', ['ok'])),
      ]),
    ]),
  ]);

/** What the packet inside the tunnel lacks. */
const outerAttributes = ['Calling-Station-Id', 'Called-Station-Id', 'NAS-IP-Address', 'NAS-Identifier', 'NAS-Port'];

const storeIdentity = block('update outer.session-state', [
  '&Stripped-User-Name := &User-Name',
  '&Portreeve-Inner-Method := "%{%{EAP-Type}:-%{control:Auth-Type}}"',
]);

/** The inside of TTLS and PEAP, with an EAP module of its own: see `innerEap` in engine-files.ts. */
export const inner = ({ id }: EngineProfile, nodes: CalledNodes, hasEap: boolean): Line =>
  block(`server inner-${id}`, [
    block('authorize', [
      ...(hasEap ? [block(`eap-inner-${id}`, ['ok = return'])] : [block('if (&EAP-Message)', refuse('noEapType'))]),
      'mschap',
      'chap',
      ...copyAttributes('outer.request:', outerAttributes),
      ...callNodes(nodes, 'outer.control', 'rest_inner'),
      'pap',
    ]),
    block('authenticate', authTypes(...(hasEap ? [`eap-inner-${id}`] : []))),
    block('post-auth', [
      storeIdentity,
      block('Post-Auth-Type REJECT', [
        storeIdentity,
        ...copyAttributes('request:', ['Module-Failure-Message'], 'outer.session-state'),
        ...copyAttributes('control:', ['Portreeve-Reason'], 'outer.session-state'),
      ]),
    ]),
  ]);
