import { lazy, Suspense, useState } from 'react';
import type { GroupInfo } from '../document/group.ts';
import { markHidden } from '../document/value.ts';
import { Icon } from '../parts/icon.tsx';
import { messageOf } from '../parts/message-of.ts';
import { useKeys } from '../shell/keys.ts';
import { text } from '../texts/text.ts';
import { type Condition, elementOf, type FilterElement, filterElements, filterOfElements } from './conditions.ts';
import { describeElement } from './describe-element.ts';

const ConditionDialog = lazy(async () => ({ default: (await import('./condition-dialog.tsx')).ConditionDialog }));

/** The element that is being edited: its index, and the index of the edited alternative. */
interface Edited {
  place: number;
  alternative: number;
}

/** The conditions of the current filter, which can be edited, removed and added. */
export function ConditionChips({
  group,
  filter,
  onTry,
}: {
  group: GroupInfo;
  filter: string;
  /** Rejects with the error of the service if the filter is invalid. */
  onTry(filter: string): Promise<void>;
}) {
  const [fault, setFault] = useState('');
  const [edited, setEdited] = useState<Edited>();
  const elements = filterElements(filter);
  const add = () => setEdited({ place: elements.length, alternative: 0 });
  useKeys({ f: add });
  const without = (place: number) => elements.filter((_, index) => index !== place);
  const tryElements = (newElements: readonly FilterElement[], onTaken?: () => void) => {
    setFault('');
    onTry(filterOfElements(newElements)).then(onTaken, (error: unknown) => setFault(messageOf(error)));
  };
  const isKnown = ({ anyOf }: FilterElement) =>
    anyOf?.every(({ field }) => group.fields.some(({ name }) => name === field)) ?? false;
  const take = (condition: Condition, isAlternative: boolean) => {
    const { place, alternative } = edited!;
    const anyOf = [...(elements[place]?.anyOf ?? [])];
    anyOf[alternative] = condition;
    const newElements = [...elements.slice(0, place), elementOf(anyOf), ...elements.slice(place + 1)];
    tryElements(newElements, () => setEdited(isAlternative ? { place, alternative: anyOf.length } : undefined));
  };
  return (
    <div className="conditions">
      {elements.map((element, place) => (
        <span className="condition" key={element.text}>
          <button
            type="button"
            disabled={!isKnown(element)}
            title={markHidden(element.text)}
            onClick={() => setEdited({ place, alternative: 0 })}
          >
            {describeElement(group, element)}
          </button>
          <button type="button" onClick={() => tryElements(without(place))}>
            <Icon name="x" size={12} />
            <span className="hidden">{text.filter.remove(describeElement(group, element))}</span>
          </button>
        </span>
      ))}
      <button type="button" className="button plain" title={`${text.filter.add} (f)`} onClick={add}>
        <Icon name="plus" size={14} />
        {text.filter.add}
      </button>
      {edited && (
        <Suspense>
          <ConditionDialog
            key={`${edited.place} ${edited.alternative}`}
            group={group}
            filter={filterOfElements(without(edited.place))}
            condition={elements[edited.place]?.anyOf?.[edited.alternative]}
            fault={fault}
            onDone={take}
            onClose={() => {
              setEdited(undefined);
              setFault('');
            }}
          />
        </Suspense>
      )}
    </div>
  );
}
