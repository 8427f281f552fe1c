export { choicesOf } from './direct-values.ts';
