import type { Declaration } from './declaration.ts';

/** The element types that groups can contain, with their codes. */
export const elementCodes = { HOST: 4, ADAPTER: 5, DEVICE: 2, PORT: 3, USER: 6, ADMINISTRATOR: 7 } as const;

export type ElementType = keyof typeof elementCodes;

export const elementTypes = Object.keys(elementCodes) as ElementType[];

/** The table of an element type, and how one element is shown in short; both expressions read the row `r`. */
export interface ElementSource {
  code: number;
  /** Singular name, such as "Port". */
  title: string;
  table: string;
  name: string;
  /** Path of its picture; absent: the picture of its type. */
  img: string | undefined;
  declaration: Declaration;
  /** Condition for visible rows; absent if all are visible. */
  seen?: string;
}

/** The element types that have a declaration. */
export type Elements = ReadonlyMap<ElementType, ElementSource>;
