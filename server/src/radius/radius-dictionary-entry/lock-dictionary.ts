/** Locks the dictionary until the transaction ends, so that exactly the entries that the engine checked are stored. */
export const lockSql = `select pg_advisory_xact_lock(hashtext('radius-dictionary'))`;
