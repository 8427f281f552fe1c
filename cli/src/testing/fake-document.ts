import { Document, type Schema } from '../document.ts';

/** A document with these schemas and without operations. */
export const documentOf = (schemas: Record<string, Schema> = {}): Document =>
  new Document({ info: { version: '0' }, paths: {}, components: { schemas, parameters: {} } });
