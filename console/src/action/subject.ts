import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';

/** The id of a record, as it is sent, and its name, as it is shown. */
export interface NamedRecord {
  id: string;
  name: string;
}

/** The target records of an action. */
export type Subject = readonly NamedRecord[];

/** Actions on more records than this require the user to type their number. */
export const confirmFrom = 100;

export const nameOfSubject = (subject: Subject): string =>
  subject.length === 1 ? subject[0]!.name : text.list.selected(count(subject.length));
