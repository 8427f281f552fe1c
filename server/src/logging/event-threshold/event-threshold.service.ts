export { SelfMonitor, upsertThresholds } from './self-monitor.ts';
