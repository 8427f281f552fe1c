import { adapter } from './adapter.ts';
import { host } from './host.ts';
import { port } from './port.ts';
import type { Subject, SubjectName } from './subject.ts';

export const subjects: Readonly<Record<SubjectName, Subject>> = { port, host, adapter };
export const subjectNames = Object.keys(subjects) as readonly SubjectName[];
