import { type Context, fileContent, type GroupFile } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import { iconOf } from './icon.ts';
import { readLibraryIcon } from './icon-library.ts';
import { iconToShow } from './uploads.ts';

/** The icons that the console loads: those of the library, and uploaded ones. */
export const deviceTypeFiles: readonly GroupFile<Context>[] = [
  {
    path: '/icons/{name}.svg',
    async read({ parameters: { name = '' } }) {
      const icon = await readLibraryIcon(name);
      if (!icon) throw notFound('icon', name);
      return icon;
    },
  },
  {
    path: '/icons/device-type/{id}',
    async read({ id }, context) {
      const stored = await iconToShow(context, id);
      if (stored === undefined) throw notFound('icon of the Device type', id);
      const { type, bytes } = iconOf(stored);
      return fileContent(type, bytes);
    },
  },
];
