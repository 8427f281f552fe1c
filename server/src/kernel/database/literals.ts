import { literal } from '../declare/names.ts';
import { Parameters } from './parameters.ts';

/** Writes the values of row limits as text of the statement: they are ids of this database, never text from a caller. */
export class Literals extends Parameters {
  override add(value: unknown, cast = ''): string {
    const ids = [value].flat().map(Number);
    return `${literal(Array.isArray(value) ? `{${ids.join(',')}}` : String(ids[0]))}${cast}`;
  }
}
