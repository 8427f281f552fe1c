import type { Command } from './command.ts';
import { accountCreate } from './commands/account-create.ts';
import { accountResetPassword } from './commands/account-reset-password.ts';
import { accountUnlock } from './commands/account-unlock.ts';
import { adminCreate } from './commands/admin-create.ts';
import { adminProfileCreate } from './commands/admin-profile-create.ts';
import { api } from './commands/api.ts';
import { cellTimeZone } from './commands/cell-time-zone.ts';
import { completion } from './commands/completion.ts';
import { connectionOn, connectionWhere } from './commands/connection.ts';
import { contextList, contextUse } from './commands/context.ts';
import { deviceDiscover } from './commands/device-discover.ts';
import { deviceImport } from './commands/device-import.ts';
import { doctor } from './commands/doctor.ts';
import { find } from './commands/find.ts';
import { groupTree } from './commands/group-tree.ts';
import { hostExplain } from './commands/host-explain.ts';
import { hostImport } from './commands/host-import.ts';
import { keysCreate } from './commands/keys-create.ts';
import { keysRotate } from './commands/keys-rotate.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { migrate } from './commands/migrate.ts';
import { radiusTail } from './commands/radius-tail.ts';
import { radiusTest } from './commands/radius-test.ts';
import { radiusTop } from './commands/radius-top.ts';
import { serve } from './commands/serve.ts';
import { status } from './commands/status.ts';
import { tokenCreate } from './commands/token-create.ts';
import { userCreate } from './commands/user-create.ts';
import { userSetPassword } from './commands/user-set-password.ts';

/** Commands that are not API operations, in the order of the help. */
export const commands: readonly Command[] = [
  login,
  status,
  find,
  hostExplain,
  connectionWhere,
  connectionOn,
  hostImport,
  deviceDiscover,
  deviceImport,
  radiusTail,
  radiusTop,
  groupTree,
  api,
  accountCreate,
  accountResetPassword,
  accountUnlock,
  userCreate,
  userSetPassword,
  adminProfileCreate,
  contextList,
  contextUse,
  logout,
  completion,
  serve,
  migrate,
  doctor,
  keysCreate,
  keysRotate,
  adminCreate,
  tokenCreate,
  radiusTest,
  cellTimeZone,
];

const programCommands: ReadonlySet<string> = new Set(['login', 'logout', 'context list', 'context use', 'completion']);

/** Returns whether a command runs only on a node: it has no --url and does not only manage this program. */
export const isNodeCommand = ({ name, options }: Command): boolean => !('url' in options) && !programCommands.has(name);
