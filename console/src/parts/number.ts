const format = new Intl.NumberFormat('en');

/** Formats a count, such as `1,280`. */
export const count = (value: number): string => format.format(value);
