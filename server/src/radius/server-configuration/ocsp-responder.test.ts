import { expect, test } from 'vitest';
import { type Lookup, outboundGuard } from '../../protocols/outbound/outbound.ts';
import { engineUrl, findResponder } from './ocsp-responder.ts';

const url = 'http://ocsp.example.org:8080/check?x=1';
const guardOf = (lookup: Lookup) => outboundGuard({ allow: [], refuse: [] }, lookup);
const answering = (address: string) => guardOf(async () => [{ address, family: address.includes(':') ? 6 : 4 }]);
const failing = guardOf(async () => {
  throw Object.assign(new Error('no name'), { code: 'ENOTFOUND' });
});

test('writes the address that was checked, not the name', async () => {
  const { responder, problem } = await findResponder(url, answering('192.0.2.7'), undefined);
  expect([engineUrl(responder), problem]).toEqual(['http://192.0.2.7:8080/check?x=1', null]);
  const second = await findResponder('http://ocsp.example.org', answering('2001:db8::7'), undefined);
  expect(engineUrl(second.responder)).toBe('http://[2001:db8::7]:80/');
});

test.each(['127.0.0.1', '169.254.169.254', '::1', '::ffff:127.0.0.1'])('refuses the address %s', async (address) => {
  const { responder, problem } = await findResponder(url, answering(address), undefined);
  expect([engineUrl(responder), problem]).toEqual(['http://127.0.0.1:0/', expect.stringContaining('is refused')]);
});

test.each(['http://127.1/', 'http://0x7f000001/', 'http://2130706433/', 'http://[::1]/'])(
  'refuses loopback in the spelling %s',
  async (spelling) => {
    expect((await findResponder(spelling, answering('192.0.2.7'), undefined)).responder.address).toBeNull();
  },
);

test('keeps the previous address while the name cannot be resolved, if the URL is the same and the address still permitted', async () => {
  const find = async (previous: { url: string; address: string }) =>
    (await findResponder(url, failing, previous)).responder.address;
  expect(await find({ url, address: '192.0.2.7' })).toBe('192.0.2.7');
  expect(await find({ url: 'http://other.example.org/', address: '192.0.2.7' })).toBeNull();
  expect(await find({ url, address: '127.0.0.1' })).toBeNull();
});
