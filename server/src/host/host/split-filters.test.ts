import { describe, expect, test } from 'vitest';
import { splitFilters } from './split-filters.ts';

describe('filters over hosts, adapters and users', () => {
  test('are sorted by their prefixes, which are removed', () => {
    expect(
      splitFilters([
        'host.type==1',
        'adapter.ssid==Staff;(adapter.enabled==true,adapter.connected==true)',
        'user.email==*@example.org',
        'role.name==Guest',
      ]),
    ).toEqual({
      host: ['type==1', 'role.name==Guest'],
      adapter: ['ssid==Staff;(enabled==true,connected==true)'],
      user: ['email==*@example.org'],
    });
  });

  test('keep text in a value that looks like a prefix', () => {
    expect(splitFilters(['hostName=="host.adapter.user."']).host).toEqual(['hostName=="host.adapter.user."']);
  });

  test.each([['host.type==1,adapter.enabled==true'], ['app.name==x']])('refuses %s', (element) => {
    expect(() => splitFilters([element])).toThrow('filter');
  });
});
