import { changeHosts } from './change-hosts.ts';
import { findHosts } from './find-hosts.ts';
import { withAdapters } from './with-adapters.ts';

export const hostActions = [...findHosts, ...changeHosts, ...withAdapters];
