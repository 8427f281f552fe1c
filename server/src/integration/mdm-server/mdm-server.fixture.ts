import type { Fixtures } from '../../../test/world/fixtures.ts';
import { boundPathsOf } from '../../kernel/declare/secret-binding.ts';
import { mdmServer } from './mdm-server.ts';

const { binding } = mdmServer.fields.password;

export const fixtures: Fixtures = {
  'mdm-server': {
    needs: Object.fromEntries(boundPathsOf(binding!).map((name) => [name, { password: 'a-password-of-the-mdm' }])),
  },
};
