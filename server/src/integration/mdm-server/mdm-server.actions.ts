import type { Context } from '../../context.ts';
import { secretAction } from '../../kernel/secret-action.ts';
import { mdmServer } from './mdm-server.ts';

export const mdmServerActions = [
  secretAction<Context>(mdmServer, '/{id}/password', 'password', 'Read the password of an MDM server'),
];
