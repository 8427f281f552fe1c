import { menuFor } from '../console/console.service.ts';
import type { Caller } from '../kernel/declare/caller.ts';
import { isSingle } from '../kernel/declare/declaration.ts';
import { allows } from '../kernel/declare/permissions.ts';
import { labelOf } from '../kernel/documents/label.ts';
import type { Model } from '../kernel/model/model.ts';
import { hitsMax } from './searched-groups.ts';

/** A page, or a field of settings with its position. */
interface Place {
  group: 'page' | 'setting';
  name: string;
  where: string;
}

/** Returns the pages in the caller's menu and the fields of visible settings. */
export function placesFor({ rights }: Caller, served: ReadonlySet<string>, model: Model): Place[] {
  const pages = menuFor(rights, served).flatMap(({ children }) =>
    children.map(({ page, label }) => ({ group: 'page' as const, name: label, where: page })),
  );
  const settings = model.tables
    .map(({ declaration }) => declaration)
    .filter(
      (declaration) => isSingle(declaration) && declaration.path && allows(rights, declaration.permission, 'view'),
    )
    .flatMap(({ name, title, fields, labels = {} }) =>
      Object.entries(fields)
        .filter(([, { access }]) => access === 'write' || access === 'secret')
        .map(([field]) => ({
          group: 'setting' as const,
          name: `${title}: ${labels[field] ?? labelOf(field)}`,
          where: `${name}.${field}`,
        })),
    );
  return [...pages, ...settings];
}

/** Returns the first places of each kind whose names contain all words of a text. */
export function findPlaces(places: readonly Place[], text: string): object[] {
  const words = text.toLowerCase().split(/\s+/);
  const matchingPlaces = places.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
  return (['page', 'setting'] as const).flatMap((kind) =>
    matchingPlaces
      .filter(({ group }) => group === kind)
      .slice(0, hitsMax)
      .map((place) => ({ id: null, ...place, online: null, lastSeen: null, matched: 'NAME' })),
  );
}
