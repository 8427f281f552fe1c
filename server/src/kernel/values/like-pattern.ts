/**
 * Returns the `like` pattern for a part of a text. A part of fewer than three letters has no trigram in the index, so
 * it matches only at the beginning.
 */
export const likePattern = (text: string): string => {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  return text.length < 3 ? `${escaped}%` : `%${escaped}%`;
};
