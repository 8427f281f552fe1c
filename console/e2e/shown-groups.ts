import { readFileSync } from 'node:fs';
import { type Document, groupsOf } from '../build/cut-document.ts';
import { isListed } from '../build/document-modules.ts';

const document = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as Document;

/** The groups that the console has a page for. */
export const shownGroups = groupsOf(document).filter(({ name, operations }) => isListed(name, operations));

/** The pages of the menu that have something on them. */
export const shownPages: ReadonlySet<string> = new Set(groupsOf(document).map(({ page }) => page));
