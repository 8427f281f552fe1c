import { resource } from '../../context.ts';
import { connectionLog } from './connection-log.ts';

export const connectionLogModule = resource('Connection log', connectionLog);
