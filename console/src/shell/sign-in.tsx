import { useState } from 'react';
import { useLocation } from 'wouter';
import { signIn } from '../client/session.ts';
import { Refusal } from '../parts/message.tsx';
import { messageOf } from '../parts/message-of.ts';
import { text } from '../texts/text.ts';
import { SignInField, SignInFrame } from './sign-in-frame.tsx';

/** The sign-in page. The service returns the same error text for every cause. */
export function SignIn({
  hasEnded,
  onSignedIn,
}: {
  /** The previous session has ended. */
  hasEnded: boolean;
  onSignedIn(session: { securityKey: string; mustChangePassword: boolean }, password: string): void;
}) {
  const [refusal, setRefusal] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [path] = useLocation();
  const submit = (form: FormData) => {
    const [user, password] = [String(form.get('username')), String(form.get('password'))];
    setBusy(true);
    setRefusal('');
    signIn(user, password)
      .then((session) => onSignedIn(session, password))
      .catch((error: unknown) => setRefusal(messageOf(error)))
      .finally(() => setBusy(false));
  };
  return (
    <SignInFrame
      title={text.signIn.title}
      onSubmit={submit}
      below={path !== '/' && <p className="quiet">{text.signIn.continuesTo(path)}</p>}
    >
      {hasEnded && <p className="note">{text.signIn.sessionEnded}</p>}
      <SignInField name="username" label={text.signIn.user} autoComplete="username" autoFocus />
      <SignInField name="password" label={text.signIn.password} type="password" autoComplete="current-password" />
      {refusal && <Refusal>{refusal}</Refusal>}
      <button type="submit" className="button main large" disabled={isBusy}>
        {isBusy ? text.signIn.inProgress : text.signIn.submit}
      </button>
    </SignInFrame>
  );
}
