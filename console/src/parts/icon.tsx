import { icons } from 'virtual:icons';
import { createElement } from 'react';
import type { IconName } from './icon-names.ts';

/** A decorative icon, hidden from screen readers: the text or label next to it has the meaning. */
export const Icon = ({ name, size = 16 }: { name: IconName; size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
    {icons[name]!.map(([tag, attributes], index) => createElement(tag, { key: index, ...attributes }))}
  </svg>
);

export const Logo = ({ size = 20 }: { size?: number }) => (
  <svg className="logo" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true">
    <path d="M3 18V8.5a7 7 0 0 1 14 0V18" />
    <path d="M7.5 18V9.5a2.5 2.5 0 0 1 5 0V18" />
  </svg>
);
