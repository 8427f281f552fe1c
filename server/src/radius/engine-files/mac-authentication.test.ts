import { expect, test } from 'vitest';
import { macAuthenticationCases } from '../../../test/world/mac-authentication-cases.ts';
import { readRequest } from '../access-request/parse-access-request.ts';

test.each(macAuthenticationCases)('recognises MAC authentication, $name: $isMac', ({ attributes, isMac }) => {
  const packet = Object.entries(attributes).map(([name, values]) => [name, [values].flat()] as const);
  expect(readRequest(new Map(packet)).isMab).toBe(isMac);
});
