import { describe, expect, test } from 'vitest';
import { probeGuard } from './probe-guard.ts';

const guardOf = (networks: readonly string[], policy = {}) =>
  probeGuard({ allow: [], refuse: [], networks, ...policy }, async () => [{ address: '192.0.2.77', family: 4 }]);
const outside = /outside the networks that this deployment may probe \(127\.0\.0\.0\/8, 10\.1\.0\.0\/16, ::1\/128\)/;

describe('where packets may go', () => {
  const guard = guardOf(['127.0.0.0/8', '10.1.0.0/16', '::1/128']);

  test('is what the deployment names, by address and by name', async () => {
    expect(await guard.resolve('10.1.2.3')).toEqual({ address: '10.1.2.3', family: 4 });
    expect(await guard.resolve('127.0.0.9')).toEqual({ address: '127.0.0.9', family: 4 });
    expect(await guard.resolve('::1')).toEqual({ address: '::1', family: 6 });
    for (const host of ['10.2.0.1', '203.0.113.5', 'device.example', '2001:db8::1', '::ffff:203.0.113.5'])
      await expect(guard.resolve(host), host).rejects.toThrow(outside);
    expect(() => guard.refuse('10.1.0.1')).not.toThrow();
    expect(() => guard.refuse('::ffff:10.2.0.1')).toThrow(outside);
  });

  test('is never a multicast, broadcast or unspecified address, whatever is named', async () => {
    const all = guardOf(['0.0.0.0/0', '::/0'], { allow: ['0.0.0.0/0', '::/0'] });
    for (const host of [
      '224.0.0.1',
      '255.255.255.255',
      '0.0.0.0',
      '::',
      'ff02::1',
      '::ffff:224.0.0.1',
      '64:ff9b::e000:1',
    ])
      await expect(all.resolve(host), host).rejects.toThrow(/multicast|broadcast|unspecified/);
    expect(await all.resolve('169.254.1.1')).toEqual({ address: '169.254.1.1', family: 4 });
  });

  test('is not this service itself, unless that is allowed', async () => {
    const refuse = ['10.1.0.5/32'];
    await expect(guardOf(['10.1.0.0/16'], { refuse }).resolve('10.1.0.5')).rejects.toThrow(
      'an address of this service',
    );
    expect(await guardOf(['10.1.0.0/16'], { refuse, allow: refuse }).resolve('10.1.0.5')).toMatchObject({ family: 4 });
  });

  test('is what an administrator named where the deployment names nothing, as the outbound guard judges it', async () => {
    const open = guardOf([]);
    expect(await open.resolve('203.0.113.5')).toMatchObject({ address: '203.0.113.5' });
    for (const host of ['127.0.0.1', '169.254.169.254', '100.100.100.200', '192.0.0.192', 'fd00:ec2::254', '224.0.0.1'])
      await expect(open.resolve(host), host).rejects.toThrow('is refused');
    expect(() => open.refuseRange('203.0.113.0', '203.0.113.255')).not.toThrow();
  });

  test('holds for whole ranges, also over networks that touch', () => {
    const two = guardOf(['10.1.0.0/25', '10.1.0.128/25', '2001:db8::/64']);
    expect(() => two.refuseRange('10.1.0.3', '10.1.0.250')).not.toThrow();
    expect(() => two.refuseRange('2001:db8::1', '2001:db8::ffff')).not.toThrow();
    expect(() => two.refuseRange('10.1.0.3', '10.1.1.0')).toThrow('10.1.1.0 in 10.1.0.3 to 10.1.1.0');
    expect(() => two.refuseRange('10.0.255.255', '10.1.0.3')).toThrow('outside the networks');
    expect(() => guardOf([]).refuseRange('223.255.255.0', '224.0.0.5')).toThrow('a multicast address is in it');
  });

  test('is refused at the start where the setting is no list of networks', () => {
    for (const network of ['10.0.0.0/33', 'nowhere', '10.0.0.0/8/8'])
      expect(() => guardOf([network]), network).toThrow();
  });
});
