import { inWords, marked } from '../../document/value.ts';

/** A check of a rule: what it wants, and what is. */
interface Check {
  section: string;
  expected: readonly string[];
  actual: readonly string[] | string | null;
  ok: boolean;
}

/** A step of a decision, or a policy in it. */
export interface TraceEntry {
  step: number | null;
  kind: string;
  id: number | null;
  name: string;
  rank: number | null;
  result: string;
  checks: readonly Check[];
}

/** What access a host gets, and why: as the service decides it. */
export interface Decision {
  at: string;
  generation: number;
  mac: string;
  accessState: string | null;
  outcome: string;
  policyID: number | null;
  policyName: string | null;
  logicalNetwork: string | null;
  value: { accessType: string; accessValue: string; source: string } | null;
  reason: string;
  trace: readonly TraceEntry[];
}

const words: Readonly<Record<string, string>> = {
  MATCH: 'applies',
  NO_MATCH: 'no',
  NOT_REACHED: 'not reached',
  NOT_REACHED_WOULD_MATCH: 'not reached, would apply',
  DISABLED: 'disabled',
  SKIPPED_NOT_ENFORCED_HERE: 'not enforced here',
};

export const resultWords = (result: string): string => words[result] ?? result;

/** What a check found: what is wanted, and what is there instead, or as well. */
export function checkWords({ section, expected, actual }: Check): string {
  const is = actual === null || actual.length === 0 ? 'none' : [actual].flat().join(', ');
  return `${section}: wants ${expected.join(' or ')}; is ${is}`;
}

/** The value that enforces it: `VLAN 110`. Other kinds, such as a role of the device, have the words of the contract. */
export const valueWords = ({ accessType, accessValue }: NonNullable<Decision['value']>): string =>
  `${accessType.startsWith('VLAN') ? 'VLAN' : inWords(accessType)} ${marked(accessValue)}`;
