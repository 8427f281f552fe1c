import { duplicate, Failure } from '../failure.ts';
import { type Model, uniqueConstraints } from './model.ts';

/** Turns a violated constraint into an answer, once for all groups, by the constraint's name. */
export function constraintExplainer(model: Model): (error: unknown) => Failure | undefined {
  const unique = uniqueConstraints(model);
  return (error) => {
    const { code, constraint } = error as { code?: string; constraint?: string };
    if (code === '23505' && constraint) {
      const uniqueKey = unique.get(constraint);
      if (!uniqueKey) return undefined;
      const fields = uniqueKey.fields.filter((field) => field !== 'landscape').join(' and ');
      return duplicate(`Another ${uniqueKey.table.declaration.title} has the same ${fields}.`);
    }
    // A reference appeared between our look and the deletion; the foreign key saw it.
    if (code === '23503' && constraint?.endsWith('_fk'))
      return new Failure('in-use', 'Still in use by another record; remove that reference first.');
    return undefined;
  };
}
