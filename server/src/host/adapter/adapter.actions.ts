import { findAdapters } from './actions/find-adapters.ts';
import { runNetworkScan } from './actions/network-scan.ts';

export const adapterActions = [...findAdapters, runNetworkScan];
