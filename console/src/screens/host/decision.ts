import type { DecidedValue, TraceCheck } from '@portreeve/sdk/generated/api.ts';
import { markHidden, readableValue } from '../../document/value.ts';

const words: Readonly<Record<string, string>> = {
  MATCH: 'match',
  NO_MATCH: 'no match',
  NOT_REACHED: 'not evaluated',
  NOT_REACHED_WOULD_MATCH: 'not evaluated, would match',
  DISABLED: 'disabled',
  SKIPPED_NOT_ENFORCED_HERE: 'not enforced here',
};

export const resultWords = (result: string): string => words[result] ?? result;

/** Formats a check with its required and actual values. */
export function checkWords({ section, expected, actual }: TraceCheck): string {
  const actualText = [actual ?? []].flat().join(', ') || 'none';
  return `${section}: requires ${expected.join(' or ')}; actual ${actualText}`;
}

/** Formats an access value, such as `VLAN 110`; other types use the constant of the API. */
export const valueWords = ({ accessType, accessValue }: Pick<DecidedValue, 'accessType' | 'accessValue'>): string =>
  `${accessType.startsWith('VLAN') ? 'VLAN' : readableValue(accessType)} ${markHidden(accessValue)}`;
