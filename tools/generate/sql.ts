import { difference } from '@portreeve/server/test/surface/sql/difference.ts';
import { observeSql } from '@portreeve/server/test/surface/sql/pin.ts';
import type { Generator } from './generator.ts';

const folder = 'server/sql';

export const generator: Generator = {
  doc: 'server/sql: the SQL behind every operation and the rows it reads, a file a domain',
  folder,
  async files() {
    const { files } = await observeSql();
    return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]));
  },
  difference,
};
