import { duplicate, Failure } from '../failure.ts';
import { type Model, uniqueConstraints } from './model.ts';

/** Converts a violated constraint to a failure by the constraint's name, for all resources. */
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
    // A reference was created between the check and the deletion; the foreign key refused the deletion.
    if (code === '23503' && constraint?.endsWith('_fk'))
      return new Failure('in-use', 'Still in use by another record; remove that reference first.');
    return undefined;
  };
}
