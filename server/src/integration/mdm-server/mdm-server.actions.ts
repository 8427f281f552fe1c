import { type Context, secretAction } from '../../context.ts';
import { mdmServer } from './mdm-server.ts';

export const mdmServerActions = [
  secretAction<Context>(mdmServer, '/{id}/password', 'password', 'Read the password of an MDM server'),
];
