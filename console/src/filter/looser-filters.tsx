import { useSizes } from '../client/group-calls.ts';
import type { GroupInfo } from '../document/group.ts';
import { Icon } from '../parts/icon.tsx';
import { count } from '../parts/number.ts';
import { text } from '../texts/text.ts';
import { filterElements, filterOfElements } from './conditions.ts';
import { describeElement } from './describe-element.ts';

/** Each one costs a request. */
const offeredMax = 8;

/** For a filter without matches: buttons that remove one condition each, with the number of records that would match. */
export function LooserFilters({
  group,
  filter,
  onFilter,
}: {
  group: GroupInfo;
  filter: string;
  onFilter(filter: string): void;
}) {
  const all = filterElements(filter);
  const elements = all.slice(0, offeredMax);
  const without = elements.map((_, place) => filterOfElements(all.toSpliced(place, 1)));
  const sizes = useSizes(group, without);
  return (
    <ul className="looser">
      {elements.map((element, place) => (
        <li key={element.text}>
          <button type="button" className="button" onClick={() => onFilter(without[place]!)}>
            <Icon name="x" size={14} />
            {text.filter.remove(describeElement(group, element))}
            {sizes[place] !== undefined && <span className="quiet">{count(sizes[place])}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
