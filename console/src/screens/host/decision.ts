import type { DecidedValue, TraceCheck } from '@portreeve/sdk/generated/api.ts';
import { markHidden, readableValue } from '../../document/value.ts';

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
export function checkWords({ section, expected, actual }: TraceCheck): string {
  const is = [actual ?? []].flat().join(', ') || 'none';
  return `${section}: wants ${expected.join(' or ')}; is ${is}`;
}

/** The value that enforces it: `VLAN 110`. Other kinds, such as a role of the device, have the words of the contract. */
export const valueWords = ({ accessType, accessValue }: Pick<DecidedValue, 'accessType' | 'accessValue'>): string =>
  `${accessType.startsWith('VLAN') ? 'VLAN' : readableValue(accessType)} ${markHidden(accessValue)}`;
