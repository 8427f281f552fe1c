import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';

/** A record, as it is sent and as people call it. */
export interface NamedRecord {
  id: string;
  name: string;
}

/** The records that an act is done with. */
export type Subject = readonly NamedRecord[];

/** Above so many, their number is typed before something is done with them. */
export const confirmFrom = 100;

export const nameOfSubject = (subject: Subject): string =>
  subject.length === 1 ? subject[0]!.name : text.list.selected(count(subject.length));
