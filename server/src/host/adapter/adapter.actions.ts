import { findAdapters } from './find-adapters.ts';

export const adapterActions = [...findAdapters];
