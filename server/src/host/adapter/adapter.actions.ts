import { findAdapters } from './find-adapters.ts';
import { runNetworkScan } from './network-scan.ts';

export const adapterActions = [...findAdapters, runNetworkScan];
