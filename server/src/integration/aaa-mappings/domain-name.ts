/** Labels of letters, digits, hyphens and underscores: a realm of RFC 7542 in its ASCII form, or the name of a Windows domain. */
const label = '[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?';
const labels = `${label}(?:\\.${label})*`;

export const domainLengthMax = 253;

/** Domains of local users. */
export const domainPattern = {
  source: `^${labels}$`,
  words: 'a domain: labels of letters, digits, hyphens and underscores, separated by dots',
};

/** Domains of mappings: `*.` at the start stands for a domain and all domains below it, an empty text for names without a domain. */
export const mappedDomainPattern = {
  source: `^(?:(?:\\*\\.)?${labels})?$`,
  words: 'a domain of labels separated by dots, which may begin with `*.`, or an empty text',
};
