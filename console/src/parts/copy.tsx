import { useEffect, useState } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';

const shownMs = 2_000;

/** Copies a text and reports it for a short time. */
export function useCopy(): { copied: string | undefined; copy(what: string): void } {
  const [copied, setCopied] = useState<string>();
  useEffect(() => {
    if (copied === undefined) return;
    const timer = setTimeout(() => setCopied(undefined), shownMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (what: string) => {
    void navigator.clipboard.writeText(what).then(() => setCopied(what));
  };
  return { copied, copy };
}

/** The message after copying a text. */
export const Copied = ({ copied }: { copied: string | undefined }) => (
  <p className={copied === undefined ? 'hidden' : 'copied'} role="status">
    {copied === undefined ? '' : text.copy.done(copied)}
  </p>
);

/** A button that copies a value. */
export function CopyButton({ value, label }: { value: string; label: string }) {
  const { copied, copy } = useCopy();
  const isDone = copied !== undefined;
  return (
    <button
      type="button"
      className="button plain square copy"
      title={isDone ? text.copy.done(value) : text.copy.label(label)}
      onClick={() => copy(value)}
    >
      <Icon name={isDone ? 'check' : 'copy'} size={12} />
      <span className="hidden" aria-live="polite">
        {isDone ? text.copy.done(value) : text.copy.label(label)}
      </span>
    </button>
  );
}
