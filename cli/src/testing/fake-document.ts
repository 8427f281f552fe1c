import { Document, type Schema } from '../document.ts';

/** A document of these schemas and no operation. */
export const documentOf = (schemas: Record<string, Schema> = {}): Document =>
  new Document({ info: { version: '0' }, paths: {}, components: { schemas, parameters: {} } });
