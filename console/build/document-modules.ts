import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { GroupOperation } from '../src/document/group.ts';
import { type Document, groupsOf, operationsNamed, ownAccountOf } from './cut-document.ts';
import { shellOperations } from './shell-operations.ts';

const documentFile = fileURLToPath(new URL('../../openapi.json', import.meta.url));

const index = 'virtual:groups';
const group = 'virtual:group/';
const shell = 'virtual:shell-operations';
const account = 'virtual:own-account';
const singleModules: readonly string[] = [index, shell, account];

/** Provides the OpenAPI document as virtual modules: an index of all resources, one module per resource, the operations of the shell, and those on the user's account. */
export function documentModules(): Plugin {
  let document: Promise<Document> | undefined;
  const readDocument = async () => {
    document ??= readFile(documentFile, 'utf8').then((text) => JSON.parse(text) as Document);
    return document;
  };
  return {
    name: 'portreeve-document',
    resolveId: (id) => (singleModules.includes(id) || id.startsWith(group) ? `\0${id}` : undefined),
    async load(id) {
      if (id === `\0${index}`) return indexModule(await readDocument());
      if (id === `\0${shell}`)
        return `export const operations = ${JSON.stringify(operationsNamed(await readDocument(), shellOperations))};`;
      if (id === `\0${account}`) return `export const group = ${JSON.stringify(ownAccountOf(await readDocument()))};`;
      if (!id.startsWith(`\0${group}`)) return undefined;
      const name = id.slice(group.length + 1);
      return `export const group = ${JSON.stringify(groupsOf(await readDocument()).find((candidate) => candidate.name === name))};`;
    },
  };
}

const indexModule = (document: Document): string => {
  const entries = groupsOf(document).map(
    ({ name, title, page, kind, identity, operations }) =>
      `{ ...${JSON.stringify({ name, title, page, kind, identity, isListed: isListed(name, operations), canCreate: operations.some(({ id }) => id === `${name}.create`) })}, load: () => import(${JSON.stringify(group + name)}) }`,
  );
  return `export const groups = [${entries.join(',\n')}];`;
};

/** Returns whether the resource has a list or is a settings resource; otherwise its page shows status and actions. */
export const isListed = (name: string, operations: readonly GroupOperation[]): boolean =>
  operations.some(({ id, pattern }) => id.startsWith(`${name}.`) && (pattern === 'list' || pattern === 'settingsRead'));
