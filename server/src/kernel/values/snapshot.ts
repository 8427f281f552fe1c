const snapshotText = /^(\d{1,19}):(\d{1,19}):((?:\d{1,19}(?:,\d{1,19})*)?)$/;

/**
 * True if PostgreSQL accepts the text as a pg_snapshot: any other text is a fault of the request, not a database error.
 */
export function isSnapshot(text: string | undefined): boolean {
  const match = snapshotText.exec(text ?? '');
  if (!match) return false;
  const [xmin, xmax] = [BigInt(match[1]!), BigInt(match[2]!)];
  if (xmin < 1n || xmax < xmin || xmax >= 2n ** 63n) return false;
  let least = xmin;
  return (match[3] ? match[3].split(',').map(BigInt) : []).every((running) => {
    const fits = running >= least && running < xmax;
    least = running;
    return fits;
  });
}
