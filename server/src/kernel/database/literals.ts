import { literal } from '../declare/names.ts';
import { Parameters } from './parameters.ts';

/** Values of a limit as text of the statement: they are ids of this database, never what a caller sent. */
export class Literals extends Parameters {
  override add(value: unknown, cast = ''): string {
    const ids = [value].flat().map(Number);
    return `${literal(Array.isArray(value) ? `{${ids.join(',')}}` : String(ids[0]))}${cast}`;
  }
}
