import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { iconNames } from '../src/parts/icon-names.ts';

const id = 'virtual:icons';
const element = /<(path|circle|rect|line|polyline|polygon|ellipse)\s([^>]*?)\/?>/g;
const attribute = /([a-zA-Z0-9-]+)="([^"]*)"/g;

/** The icons that the console uses, from lucide-static, as lists of elements. */
export function iconModule(): Plugin {
  return {
    name: 'portreeve-icons',
    resolveId: (moduleId) => (moduleId === id ? `\0${id}` : undefined),
    async load(moduleId) {
      if (moduleId !== `\0${id}`) return undefined;
      const drawn = await Promise.all(iconNames.map(async (name) => [name, await elementsOf(name)] as const));
      return `export const icons = ${JSON.stringify(Object.fromEntries(drawn))};`;
    },
  };
}

async function elementsOf(name: string) {
  const folder = dirname(createRequire(import.meta.url).resolve('lucide-static/package.json'));
  const drawing = await readFile(join(folder, 'icons', `${name}.svg`), 'utf8');
  return [...drawing.matchAll(element)].map(([, tag, attributes]) => [
    tag,
    Object.fromEntries([...attributes!.matchAll(attribute)].map(([, key, value]) => [key, value])),
  ]);
}
