import { block, type Line } from './blocks.ts';
import type { EngineProfile } from './engine-files.ts';
import {
  afterForwarding,
  beforeForwarding,
  chooseHome,
  forwards,
  nameHome,
  type Proxying,
  restoreHomeAccess,
  silenceWithoutHome,
  takeHomeAccess,
} from './home-servers.ts';
import { macAuthenticationCondition } from './mac-authentication.ts';
import { silence } from './silence.ts';
import { testNetwork } from './test-clients.ts';

/** The number of nodes that the engine calls after its own one. */
export interface CalledNodes {
  otherNodes: number;
}

/** Returns the name of the module that calls another node, counted from 0. */
export const restOf = (module: string, index: number): string => `${module}_${index + 2}`;

/** Returns a call to a node whose failure does not end the section. */
export const rest = (module = 'rest'): Line => block(module, ['fail = 1']);

/**
 * Calls the own node, then each other node until one answers. Each call is inside the condition of the previous one, because a block that
 * ends with a failure would end its section with a reject.
 */
const callAnyNode = ({ otherNodes }: CalledNodes, module: string, otherwise: readonly Line[]): Line[] => {
  const callFrom = (index: number): Line =>
    block('if (fail)', index === otherNodes ? [...otherwise] : [rest(restOf(module, index)), callFrom(index + 1)]);
  return [rest(module), callFrom(0)];
};

const callNodes = (nodes: CalledNodes, list: 'control' | 'outer.control', module = 'rest'): Line[] =>
  callAnyNode(nodes, module, silence(list));

/** Reasons for rejects by the engine itself; the node writes a message for each. */
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
 * Rejects PAP, except for tests of this node, which need some method to check a password and come from loopback. A device whose MAC
 * authentication is not recognised gets a separate reason, because enabling PAP would not help it.
 */
const refusePap: Line[] = [
  block(`if (&Packet-Src-IP-Address < ${testNetwork})`, ['noop']),
  block('elsif (&User-Name == &User-Password)', refuse('repeatedName')),
  block('else', refuse('papEnabled')),
];

/** Rejects MS-CHAPv1 outside a tunnel: the password can be computed from its response within a day (DES with 56 bits). */
const msChap: Line[] = [block('if (&MS-CHAP2-Response)', ['mschap']), block('else', refuse('msChap1'))];

const authTypes = (...eap: string[]): Line[] => [
  block('Auth-Type PAP', ['pap']),
  block('Auth-Type CHAP', ['chap']),
  block('Auth-Type MS-CHAP', ['mschap']),
  ...eap,
];

/** Attributes from earlier packets of EAP that are added to the last packet for the decision. */
const certificateAttributes = ['Serial', 'Common-Name', 'Subject', 'Issuer', 'Expiration'].map(
  (part) => `TLS-Client-Cert-${part}`,
);

const copyAttributes = (source: string, attributes: readonly string[], target = 'request'): Line[] =>
  attributes.map((attribute) =>
    block(`if (&${source}${attribute})`, [block(`update ${target}`, [`&${attribute} := &${source}${attribute}[*]`])]),
  );

/** Attributes with the identity inside the tunnel and the method that proved it. */
const tunnelAttributes = ['Stripped-User-Name', 'Portreeve-Inner-Method', 'Portreeve-Password-Owner'];
/** Attributes with the reason of the node or engine for a reject. */
const failures = ['Portreeve-Reason', 'Module-Failure-Message'];

/** Returns the server that handles the packets of a profile's access devices. */
export const outer = (
  { id, allowsMab, allowsPap, allowsChap }: EngineProfile,
  nodes: CalledNodes,
  { hasEap, proxying }: { hasEap: boolean; proxying: Proxying },
): Line =>
  block(`server access-${id}`, [
    block('authorize', [
      // Added first, so that it is the first attribute of the reply.
      block('update reply', ['&Message-Authenticator := 0x00']),
      ...chooseHome(proxying),
      // Not inside a condition, where `return` would leave only the condition.
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
    ...(forwards(proxying) ? [...beforeForwarding(proxying), afterForwarding] : []),
    block('post-auth', [
      // This section also runs for a reply of a home server that is not sent.
      ...(forwards(proxying)
        ? [block('if (&control:Response-Packet-Type)', ['handled', 'return']), takeHomeAccess]
        : []),
      ...copyAttributes('session-state:', [...certificateAttributes, ...tunnelAttributes]),
      // MAC authentication was already decided in the section authorize.
      block('if (!&control:Portreeve-Verdict)', callNodes(nodes, 'control')),
      block('if (!&control:Portreeve-Verdict)', silence('control')),
      block('elsif (&control:Portreeve-Verdict == "REJECT")', ['reject']),
      ...(forwards(proxying) ? [restoreHomeAccess] : []),
      block('Post-Auth-Type REJECT', [
        ...(forwards(proxying) ? [silenceWithoutHome] : []),
        'attr_filter.access_reject',
        ...copyAttributes('session-state:', [...certificateAttributes, ...tunnelAttributes, ...failures]),
        ...copyAttributes('control:', ['Portreeve-Reason']),
        ...(forwards(proxying) ? [nameHome] : []),
        // This section also runs for packets without a reply; a decided request needs no second call.
        block('if (!&control:Response-Packet-Type && !&control:Portreeve-Verdict)', callAnyNode(nodes, 'rest', ['ok'])),
      ]),
    ]),
  ]);

/** Attributes that the packet inside the tunnel does not have. */
const outerAttributes = ['Calling-Station-Id', 'Called-Station-Id', 'NAS-IP-Address', 'NAS-Identifier', 'NAS-Port'];

const storeIdentity = block('update outer.session-state', [
  '&Stripped-User-Name := &User-Name',
  '&Portreeve-Inner-Method := "%{%{EAP-Type}:-%{control:Auth-Type}}"',
]);

/** Returns the server for the inside of TTLS and PEAP, with its own EAP module: see `innerEap` in engine-files.ts. */
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
