import type { DecidedValue, Part } from './decision.ts';
import { isOutsideProfilingSchedule, isRogue, type Subject } from './steps.ts';

/** Returns why a host counts as disabled. */
export function disabledReason(subject: Subject): string {
  const { adapter, host, owner } = subject.context;
  if (!host.enabled) return 'The host is disabled';
  if (!adapter.enabled) return 'The adapter is disabled';
  if (owner && !owner.enabled) return 'The owner is disabled';
  return isOutsideProfilingSchedule(subject) ? 'It is outside the schedule of its profiling rule' : 'It is disabled';
}

/** Describes the state that a step isolates. */
export function stateReason(step: number, subject: Subject): Part[] {
  if (step === 2) return [disabledReason(subject)];
  if (step === 3) return ['The host is at risk'];
  if (step === 4) return [isRogue(subject) ? 'The host is not registered' : 'The registration has expired'];
  const policy = subject.families.authentication;
  return policy
    ? [
        'Nobody has authenticated, and ',
        { kind: 'authentication policy', id: policy.policyID, name: policy.name },
        ' demands it',
      ]
    : ['Nobody has authenticated'];
}

const typeNames = {
  VLAN_ID: 'VLAN',
  VLAN_NAME: 'VLAN',
  FILTER_ID: 'filter',
  ROLE: 'role',
  VPN_GROUP: 'VPN group',
  RADIUS_GROUP: 'RADIUS attribute group',
  CLI: 'a CLI configuration',
  DENY: 'denied',
  NONE: 'access without a value',
} as const;

/** Describes a value and its source, such as `VLAN 30, from container Hall B`. */
export function valuePhrase({ accessType, accessValue, source, element }: DecidedValue): Part[] {
  const value = `${typeNames[accessType]} ${accessType === 'CLI' || accessType === 'NONE' ? '' : accessValue}`.trim();
  if (source === 'DIRECT') return [`${value}, given directly`];
  if (source === 'DEFAULT' || !element) return [`${value}, its default everywhere`];
  return [`${value}, from ${source === 'SSID' ? 'SSID' : element.kind} `, element];
}
