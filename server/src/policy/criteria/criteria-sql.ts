import { computed } from '../../kernel/declare/field.ts';
import { shapes } from '../../kernel/declare/shapes.ts';

/** The names of a list behind a word; null if the list is empty. */
const part = (words: string, list: string): string => `nullif(concat('${words} ', nullif(${list}, '')), '${words} ')`;

/** The names of the records whose ids are in a list; `#id` for records that the caller does not see. */
const names = (
  path: string,
  table: string,
): string => `(select string_agg(coalesce(n.name, '#' || x.id), ', ' order by x.place)
  from jsonb_array_elements_text(r.criteria #> '{${path}}') with ordinality x(id, place) left join ${table} n on n.id = x.id::bigint)`;

const ssids = `(select string_agg(x.name, ', ') from jsonb_array_elements_text(r.criteria #> '{where,ssids}') x(name))`;

/** Criteria in one line, cut off after 1,000 characters. */
const summarySql = `left(coalesce(nullif(concat_ws('; ',
  ${part('role', names('who,roles', 'role'))},
  ${part('group', names('who,groups', '"group"'))},
  nullif(criteria_attributes_text(r.criteria #> '{who,attributes}'), ''),
  ${part(
    'at',
    `concat_ws(', ', ${names('where,containers', 'container')}, ${names('where,deviceGroups', '"group"')}, ${names('where,portGroups', '"group"')}, ${ssids})`,
  )},
  nullif(weekly_schedule_text(r.criteria -> 'when'), '')), ''), 'everybody, everywhere, always'), 1000)`;

/** True if stored criteria match everything. */
const catchAllSql = 'criteria_match_all(r.criteria)';

/** Computed fields: the summary of a policy's criteria, and the policies that shadow it. */
export const criteriaViews = (table: string) => ({
  catchAll: computed<boolean>({ kind: 'flag' }, catchAllSql, {
    doc: 'True: the policy has no criteria, so it matches every connection.',
  }),
  shadowedBy: computed<number | null>(
    { ...shapes.id, nullable: true },
    `(case when r.enabled then (select p.id from ${table} p
       where p.enabled and p.rank < r.rank and criteria_cover(p.criteria, r.criteria) order by p.rank limit 1) end)`,
    {
      doc: 'First enabled policy above this one that matches everything this one matches, so this one is never reached; null: none.',
    },
  ),
  criteriaSummary: computed<string>(shapes.text(1_000), summarySql, { doc: 'The criteria in one line.' }),
});
