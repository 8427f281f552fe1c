import { en } from './en.ts';

/** The texts of the language in use. */
export const text = en;
