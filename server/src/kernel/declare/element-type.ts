import type { Declaration } from './declaration.ts';

/** What can be gathered in groups, each with its code among elements. */
export const elementCodes = { HOST: 4, ADAPTER: 5, DEVICE: 2, PORT: 3, USER: 6, ADMINISTRATOR: 7 } as const;

export type ElementType = keyof typeof elementCodes;

export const elementTypes = Object.keys(elementCodes) as ElementType[];

/** Where the elements of a type are kept, and how one is shown in short; both expressions stand over the row `r`. */
export interface ElementSource {
  code: number;
  /** What one is called, such as "Port". */
  title: string;
  table: string;
  name: string;
  /** Path of its picture; none: that of its type. */
  img: string | undefined;
  declaration: Declaration;
  /** What the row must fulfil to be seen, where not all are. */
  seen?: string;
}

/** The types whose elements some declaration keeps. */
export type Elements = ReadonlyMap<ElementType, ElementSource>;
