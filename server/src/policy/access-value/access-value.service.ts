import { invalid } from '../../kernel/failure.ts';
import type { AccessValue } from '../decide/decide.service.ts';
import { valueFault } from './access-value.ts';

/** Refuses a value that no device could take; `field` is where it stands in the body, and the body itself when absent. */
export function refuseWrongValue(value: AccessValue, field?: string): void {
  const fault = valueFault(value);
  if (!fault) return;
  const path = [...(field === undefined ? [] : [field]), fault.property];
  throw invalid([{ pointer: `/${path.join('/')}`, message: `${path.join('.')}: ${fault.message}.` }]);
}
