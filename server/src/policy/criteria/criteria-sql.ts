import { computed } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** Texts of a list, or nothing when it is empty. */
const part = (words: string, list: string): string => `nullif(concat('${words} ', nullif(${list}, '')), '${words} ')`;

/** Names of the records behind a list of ids; those that the viewer may not see as their id. */
const names = (
  path: string,
  table: string,
): string => `(select string_agg(coalesce(n.name, '#' || x.id), ', ' order by x.place)
  from jsonb_array_elements_text(r.criteria #> '{${path}}') with ordinality x(id, place) left join ${table} n on n.id = x.id::bigint)`;

const ssids = `(select string_agg(x.name, ', ') from jsonb_array_elements_text(r.criteria #> '{where,ssids}') x(name))`;

/** Criteria in one line; what it lists in full is cut off behind 1,000 characters. */
const summarySql = `left(coalesce(nullif(concat_ws('; ',
  ${part('role', names('who,roles', 'role'))},
  ${part('group', names('who,groups', '"group"'))},
  nullif(criteria_attributes_text(r.criteria #> '{who,attributes}'), ''),
  ${part(
    'at',
    `concat_ws(', ', ${names('where,containers', 'container')}, ${names('where,deviceGroups', '"group"')}, ${names('where,portGroups', '"group"')}, ${ssids})`,
  )},
  nullif(weekly_schedule_text(r.criteria -> 'when'), '')), ''), 'everybody, everywhere, always'), 1000)`;

/** Whether criteria, as they are stored, let everything match. */
const catchAllSql = 'criteria_match_all(r.criteria)';

/** What follows from the criteria of a policy and its place among the others. */
export const criteriaViews = (table: string) => ({
  catchAll: computed<boolean>({ kind: 'flag' }, catchAllSql, {
    doc: 'No criteria at all: it matches every connection.',
  }),
  shadowedBy: computed<number | null>(
    { ...shapes.id, nullable: true },
    `(case when r.enabled then (select p.id from ${table} p
       where p.enabled and p.rank < r.rank and criteria_cover(p.criteria, r.criteria) order by p.rank limit 1) end)`,
    { doc: 'The enabled policy above that matches whatever this one does, so this one is never reached; null: none.' },
  ),
  criteriaSummary: computed<string>(shapes.text(1_000), summarySql, { doc: 'The criteria in one line.' }),
});
