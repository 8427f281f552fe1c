import { readableValue } from '../document/value.ts';

/** Each state has its own shape and text, so that colour is not required. Colour marks states that wait or restrict. */
const states: Readonly<Record<string, { tone: '' | 'warn' | 'bad'; path: string; isFilled?: true }>> = {
  PRODUCTION: { tone: '', path: 'M2.5 6.5l2.5 2.5 4.5-6' },
  GUEST: { tone: '', path: 'M6 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8' },
  REGISTRATION: { tone: 'warn', path: 'M2.5 2.5h7v7h-7z' },
  AUTHENTICATION: { tone: 'warn', path: 'M6 1.5 10.5 6 6 10.5 1.5 6z' },
  QUARANTINE: { tone: 'bad', path: 'M6 1.5l5 9H1z', isFilled: true },
  DEAD_END: { tone: 'bad', path: 'M2.5 2.5l7 7M9.5 2.5l-7 7' },
};

export const isAccessState = (value: unknown): value is string => typeof value === 'string' && value in states;

export const toneOf = (state: string): string => states[state]?.tone ?? '';

export function AccessState({ state }: { state: string }) {
  const { tone, path, isFilled } = states[state]!;
  return (
    <span className={`state ${tone}`}>
      <svg className={isFilled ? 'mark filled' : 'mark'} width={12} height={12} viewBox="0 0 12 12" aria-hidden="true">
        <path d={path} />
      </svg>
      {readableValue(state)}
    </span>
  );
}
