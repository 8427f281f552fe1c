import { seesEverything } from '../../../src/kernel/access/visibility.ts';
import { literal, quoted } from '../../../src/kernel/declare/names.ts';
import type { Runtime } from '../../../src/kernel/write/runtime.ts';
import type { Sent } from './recorder.ts';

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim();

/** Parts in which equal statements of the kernel differ from resource to resource. */
const particular: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\((?:"\w+", )+audit_id\) values \((?:\$\d+, )+log_id\(\)\)/, '(<columns>, audit_id) values (<values>, log_id())'],
  [/ set "\w+" = \$\d+(?:, "\w+" = \$\d+)*, version/, ' set <changes>, version'],
  [/^deallocate "[\w-]+"$/, 'deallocate <the oldest>'],
  [/audit_id = \d+/, 'audit_id = <id>'],
  [/from \(\(select '.*\) u group by/, 'from (<a select for each field that refers>) u group by'],
  [/\b([ro])\."\w+"/g, '$1.<column>'],
  [/(coalesce\(lower\(r\.<column>\) like lower\(\$1::text\), false\))(?: or \1)+/g, '$1 or …'],
];

/**
 * Returns a function that replaces the resource's own parts of a statement, so that equal statements of several
 * resources have one text.
 */
export function commonTextOf(runtime: Runtime): (statement: Pick<Sent, 'text' | 'sender'>) => string {
  const { tables } = runtime.engine.model;
  const readers = tables.map(({ declaration }) => runtime.reader(declaration.name, seesEverything).record);
  const lists = readers.map(({ selectList }) => oneLine(selectList));
  const joins = readers.map((reader) => oneLine(reader.joins)).filter((text) => text !== '');
  return ({ text, sender }) => {
    let common = oneLine(text);
    for (const list of lists) common = common.replaceAll(list, '<columns>');
    for (const join of joins) common = common.replaceAll(join, '<what lies beside>');
    // A statement that a resource sends is about its own tables; one of the kernel can be about any.
    if (!sender.startsWith('kernel/')) return common;
    for (const [pattern, word] of particular) common = common.replace(pattern, word);
    for (const { name } of tables)
      common = common.replaceAll(quoted(name), '<table>').replaceAll(literal(name), "'<table>'");
    return common;
  };
}
