import { resource } from '../../context.ts';
import { deviceTypeActions } from './device-type.actions.ts';
import { deviceTypeFiles } from './device-type.files.ts';
import { deviceTypeRules } from './device-type.rules.ts';
import { deviceType } from './device-type.ts';

export const deviceTypeModule = resource('Device type', deviceType, {
  actions: deviceTypeActions,
  rules: deviceTypeRules,
  files: deviceTypeFiles,
});
