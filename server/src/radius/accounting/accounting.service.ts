/** Accounting of access devices: where hosts are connected, for how long, and how much they send. */

export { AccountingListener } from './accounting-listener.ts';
export { AccountingStore } from './accounting-store.ts';
