import { useNow } from '../parts/surroundings.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** The footer with the shortcuts of the page, and the time. */
export function Footer({ keys }: { keys: readonly (readonly [key: string, does: string])[] }) {
  const now = useNow();
  return (
    <footer className="foot">
      {keys.map(([names, does]) => (
        <span key={names}>
          {names.split(' ').map((name) => (
            <kbd key={name}>{name}</kbd>
          ))}
          {does}
        </span>
      ))}
      <span className="grow" />
      <span>{clock.format(now)}</span>
    </footer>
  );
}
