import serverPackage from '../../package.json' with { type: 'json' };
import { recordsOutside } from '../auth/admins.ts';
import { pageOfGroup } from '../console/console.service.ts';
import type { DocumentInfo } from '../kernel/documents/openapi.ts';

/** The data for the API documents, in addition to the operations. */
export const documentInfo: DocumentInfo = {
  version: serverPackage.version,
  pages: pageOfGroup,
  outside: recordsOutside,
};
