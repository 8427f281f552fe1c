import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import type { ReactNode } from 'react';
import { text } from '../texts/text.ts';
import { Icon } from './icon.tsx';
import { messageOf } from './words-of.ts';

/** What stands where nothing else can: what is the case, and what can be done. */
export const Message = ({ title, children }: { title: string; children?: ReactNode }) => (
  <div className="message appears">
    <h2>{title}</h2>
    {children}
  </div>
);

/** The words of the service, the request that its log has, and another try. */
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
