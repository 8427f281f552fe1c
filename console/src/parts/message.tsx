import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';
import { messageOf } from './message-of.ts';

/** A message instead of content, with possible next steps. */
export const Message = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="message appears">
    <h2>{title}</h2>
    {children}
  </div>
);

/** An error with the message of the service, the request id and a retry button. */
export const Failure = ({ error, onRetry }: { error: unknown; onRetry(): void }) => (
  <Message title={text.failed}>
    <p role="alert">{messageOf(error)}</p>
    {error instanceof PortreeveError && error.requestId && (
      <p className="quiet mono">{text.request(error.requestId)}</p>
    )}
    <button type="button" className="button" onClick={onRetry}>
      <Icon name="refresh-cw" size={14} />
      {text.retry}
    </button>
  </Message>
);

export const Refusal = ({ children, id }: { children: string; id?: string }) => (
  <div className="note bad" role="alert" id={id}>
    <Icon name="triangle-alert" size={14} />
    <span>{children}</span>
  </div>
);
