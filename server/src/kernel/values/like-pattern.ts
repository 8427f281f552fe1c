/** The pattern of `like` for a part of a text. Parts are found by their trigrams, of which two letters have none but at the beginning. */
export const likePattern = (text: string): string => {
  const escaped = text.replace(/[\\%_]/g, '\\$&');
  return text.length < 3 ? `${escaped}%` : `%${escaped}%`;
};
