import { rules } from '../../context.ts';
import { host } from './host.ts';
import { completeHost, followHost } from './saved-host.ts';

export const hostRules = rules(host, { beforeSave: completeHost, afterSave: followHost });
