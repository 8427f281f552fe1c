import { seesEverything } from '../../../src/kernel/access/visibility.ts';
import { literal, quoted } from '../../../src/kernel/declare/names.ts';
import type { Runtime } from '../../../src/kernel/write/runtime.ts';
import type { Sent } from './recorder.ts';

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').replaceAll('( ', '(').replaceAll(' )', ')').trim();

/** Where statements of the kernel differ from group to group although they are the same. */
const particular: readonly (readonly [pattern: RegExp, word: string])[] = [
  [/\((?:"\w+", )+audit_id\) values \((?:\$\d+, )+log_id\(\)\)/, '(<columns>, audit_id) values (<values>, log_id())'],
  [/ set "\w+" = \$\d+(?:, "\w+" = \$\d+)*, version/, ' set <changes>, version'],
  [/^deallocate "[\w-]+"$/, 'deallocate <the oldest>'],
  [/audit_id = \d+/, 'audit_id = <id>'],
  [/from \(\(select '.*\) u group by/, 'from (<a select for each field that refers>) u group by'],
  [/\b([ro])\."\w+"/g, '$1.<column>'],
  [/(coalesce\(lower\(r\.<column>\) like lower\(\$1::text\), false\))(?: or \1)+/g, '$1 or …'],
];

/** Gives a statement the text that it has in common with its likes of other groups. */
export function commonTextOf(runtime: Runtime): (sent: Pick<Sent, 'text' | 'sender'>) => string {
  const { tables } = runtime.engine.model;
  const readers = tables.map(({ declaration }) => runtime.reader(declaration.name, seesEverything).record);
  const lists = readers.map(({ selectList }) => oneLine(selectList));
  const joins = readers.map((reader) => oneLine(reader.joins)).filter((text) => text !== '');
  return ({ text, sender }) => {
    let common = oneLine(text);
    for (const list of lists) common = common.replaceAll(list, '<columns>');
    for (const join of joins) common = common.replaceAll(join, '<what lies beside>');
    // What a group sends itself is about its own tables; what the kernel sends is about whichever it is given.
    if (!sender.startsWith('kernel/')) return common;
    for (const [pattern, word] of particular) common = common.replace(pattern, word);
    for (const { name } of tables)
      common = common.replaceAll(quoted(name), '<table>').replaceAll(literal(name), "'<table>'");
    return common;
  };
}
