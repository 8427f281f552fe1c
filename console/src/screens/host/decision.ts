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

/** Formats a check with its required and actual values. */
export function checkWords({ section, expected, actual }: TraceCheck): string {
  const is = [actual ?? []].flat().join(', ') || 'none';
  return `${section}: wants ${expected.join(' or ')}; is ${is}`;
}

/** Formats an access value, such as `VLAN 110`; other types use the constant of the API. */
export const valueWords = ({ accessType, accessValue }: Pick<DecidedValue, 'accessType' | 'accessValue'>): string =>
  `${accessType.startsWith('VLAN') ? 'VLAN' : readableValue(accessType)} ${markHidden(accessValue)}`;
