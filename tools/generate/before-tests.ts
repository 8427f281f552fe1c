import { ensureProducts } from './products.ts';

/* What vitest does before the first test: the command line and the SDK do not start without the products. */

export const setup = ensureProducts;
