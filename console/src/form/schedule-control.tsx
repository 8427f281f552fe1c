import { clockOf, type Schedule, scheduleOf, withDay, withTimes } from '../document/schedule.ts';
import { text } from '../texts/text.ts';

/** A weekly schedule: always, or on some days between two times. */
export function ScheduleControl({
  id,
  value,
  isDisabled,
  onValue,
}: {
  id: string;
  value: Readonly<Record<string, unknown>>;
  isDisabled: boolean;
  onValue(value: object): void;
}) {
  const schedule = scheduleOf(value);
  const put = (changes: Partial<Schedule>) => onValue({ ...value, ...schedule, ...changes });
  return (
    <>
      <div className="radios">
        {[true, false].map((isAlways) => (
          <label key={String(isAlways)}>
            <input
              type="radio"
              name={`${id}-always`}
              id={isAlways ? id : undefined}
              checked={schedule.alwaysOn === isAlways}
              disabled={isDisabled}
              onChange={() => put(isAlways ? scheduleOf({}) : { alwaysOn: false })}
            />
            {isAlways ? text.form.schedule.always : text.form.schedule.sometimes}
          </label>
        ))}
      </div>
      {!schedule.alwaysOn && (
        <>
          <div className="line">
            {(['startTimeOfDay', 'endTimeOfDay'] as const).map((end) => (
              <label key={end} className="line">
                {end === 'startTimeOfDay' ? text.form.schedule.from : text.form.schedule.to}
                <input
                  className="input short"
                  type="time"
                  value={clockOf(schedule[end])}
                  disabled={isDisabled}
                  onChange={(event) => put(withTimes(end, event.target.value))}
                />
              </label>
            ))}
          </div>
          <div className="radios">
            {text.form.schedule.days.map((day, bit) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={(schedule.daysOfWeek & (1 << bit)) !== 0}
                  disabled={isDisabled}
                  onChange={(event) => put(withDay(schedule, bit, event.target.checked))}
                />
                {day}
              </label>
            ))}
          </div>
        </>
      )}
    </>
  );
}
