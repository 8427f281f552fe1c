import { resource } from '../../context.ts';
import { aaaServerActions } from './aaa-server.actions.ts';
import { aaaServerRules } from './aaa-server.rules.ts';
import { aaaServer } from './aaa-server.ts';

export const aaaServerModule = resource('AAA server', aaaServer, { actions: aaaServerActions, rules: aaaServerRules });
