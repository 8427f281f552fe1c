import { useState } from 'react';
import { changePassword } from '../client/session.ts';
import { Refusal } from '../parts/message.tsx';
import { messageOf } from '../parts/message-of.ts';
import { text } from '../texts/text.ts';
import { SignInField, SignInFrame } from './sign-in-frame.tsx';

/** Requires a new password after a sign-in with a password that another user has set. */
export function NewPassword({
  securityKey,
  currentPassword,
  onChanged,
}: {
  securityKey: string;
  currentPassword: string;
  onChanged(): void;
}) {
  const [refusal, setRefusal] = useState('');
  const submit = (form: FormData) => {
    setRefusal('');
    changePassword(securityKey, currentPassword, String(form.get('new-password')))
      .then(onChanged)
      .catch((error: unknown) => setRefusal(messageOf(error)));
  };
  return (
    <SignInFrame title={text.newPassword.title} onSubmit={submit}>
      <p>{text.newPassword.why}</p>
      <SignInField
        name="new-password"
        label={text.newPassword.label}
        hint={text.newPassword.hint}
        type="password"
        autoComplete="new-password"
        autoFocus
      />
      {refusal && <Refusal>{refusal}</Refusal>}
      <button type="submit" className="button main large">
        {text.newPassword.submit}
      </button>
    </SignInFrame>
  );
}
