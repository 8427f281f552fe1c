const format = new Intl.NumberFormat('en');

/** A count as people read it: `1,280`. */
export const count = (value: number): string => format.format(value);
