import { invalid } from '../../kernel/failure.ts';
import type { AccessValue } from '../decide/decide.service.ts';
import { valueFault } from './access-value.ts';

/** Rejects a value that no device could apply. `field` is its field in the body; absent: the value is the body itself. */
export function refuseWrongValue(value: AccessValue, field?: string): void {
  const fault = valueFault(value);
  if (!fault) return;
  const path = [...(field === undefined ? [] : [field]), fault.property];
  throw invalid([{ pointer: `/${path.join('/')}`, message: `${path.join('.')}: ${fault.message}.` }]);
}
