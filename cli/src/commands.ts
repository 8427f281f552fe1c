import type { Command } from './command.ts';
import { adminCreate } from './commands/admin-create.ts';
import { completion } from './commands/completion.ts';
import { deviceDiscover } from './commands/device-discover.ts';
import { doctor } from './commands/doctor.ts';
import { groupTree } from './commands/group-tree.ts';
import { hostImport } from './commands/host-import.ts';
import { keysCreate } from './commands/keys-create.ts';
import { keysRotate } from './commands/keys-rotate.ts';
import { login } from './commands/login.ts';
import { migrate } from './commands/migrate.ts';
import { serve } from './commands/serve.ts';
import { tokenCreate } from './commands/token-create.ts';

/** Commands beside the operations of the API, in the order of the help. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  doctor,
  keysCreate,
  keysRotate,
  adminCreate,
  tokenCreate,
  login,
  groupTree,
  deviceDiscover,
  hostImport,
  completion,
];
