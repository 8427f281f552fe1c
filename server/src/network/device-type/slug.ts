/** Makes a tag from a name, `Étiquettes (2)` → `etiquettes-2`; undefined if too few characters are left. */
export function slugOf(name: string): string | undefined {
  const slug = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
  return slug.length < 2 ? undefined : slug;
}
