import { resource } from '../../context.ts';
import { userAccountRules } from './user-account.rules.ts';
import { userAccount } from './user-account.ts';

export const userAccountModule = resource('User account', userAccount, { rules: userAccountRules });
