export * from './generated/api.ts';
export * from './generated/operations.ts';
export * from './runtime.ts';
