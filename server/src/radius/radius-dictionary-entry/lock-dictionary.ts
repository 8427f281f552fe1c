/** Held until the transaction ends, so that what the engine has checked is what is stored. */
export const lockSql = `select pg_advisory_xact_lock(hashtext('radius-dictionary'))`;
