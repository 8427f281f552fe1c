import type { FormEvent, ReactNode } from 'react';
import { Logo } from '../parts/icon.tsx';
import { text } from '../texts/text.ts';

/** The layout of the sign-in pages: product name and one form. */
export const SignInFrame = ({
  title,
  onSubmit,
  below,
  children,
}: {
  title: string;
  onSubmit(form: FormData): void;
  below?: ReactNode;
  children: ReactNode;
}) => (
  <main className="sign-in">
    <div className="sign-in-inner">
      <div className="sign-in-name">
        <Logo size={28} />
        <h1>{text.product}</h1>
      </div>
      <form
        className="sign-in-form"
        aria-label={title}
        onSubmit={(event: FormEvent<HTMLFormElement>) => {
          event.preventDefault();
          onSubmit(new FormData(event.currentTarget));
        }}
      >
        {children}
      </form>
      {below}
    </div>
  </main>
);

/** An input that password managers recognise, and that accepts pasted text. */
export const SignInField = ({
  name,
  label,
  hint,
  ...input
}: {
  name: string;
  label: string;
  hint?: string;
  autoComplete: string;
  type?: string;
  autoFocus?: boolean;
  defaultValue?: string;
}) => (
  <div className="field">
    <label htmlFor={name}>{label}</label>
    <input
      {...input}
      id={name}
      name={name}
      className="input"
      required
      maxLength={200}
      aria-describedby={`${name}-hint`}
    />
    <span id={`${name}-hint`} className="quiet" hidden={!hint}>
      {hint}
    </span>
  </div>
);
