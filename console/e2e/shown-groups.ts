import { readFileSync } from 'node:fs';
import { type Document, groupsOf } from '../build/cut-document.ts';
import { isListed } from '../build/document-modules.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

/** The resources that have a page in the console. */
export const shownGroups = groupsOf(document).filter(({ name, operations }) => isListed(name, operations));

/** The menu pages with at least one resource. */
export const shownPages: ReadonlySet<string> = new Set(groupsOf(document).map(({ page }) => page));
