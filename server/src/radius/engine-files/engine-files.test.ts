import { expect, test } from 'vitest';
import { quoted } from './blocks.ts';
import { type EngineProfile, type EngineSettings, engineFiles, noProxying } from './engine-files.ts';

const profile: EngineProfile = {
  id: 7,
  eapTypes: ['TLS', 'PEAP', 'MSCHAPV2'],
  defaultEapType: 'TLS',
  eapTlsFragmentSize: 1_002,
  commonFragmentSize: 1_200,
  ocsp: undefined,
  allowsMab: true,
  allowsPap: false,
  allowsChap: false,
  tls: {
    certificate: 'CERTIFICATE',
    privateKey: 'KEY',
    authorities: ['AUTHORITY\n'],
    revocationLists: ['LIST\n'],
    checksRevocations: false,
    minVersion: '1.2',
    maxVersion: '1.2',
    ciphers: ['TLS_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  },
};

const settings = (
  profileChanges: Partial<EngineProfile> = {},
  tls: Partial<EngineProfile['tls']> = {},
): EngineSettings => ({
  host: '*',
  authPort: 1_812,
  statusPort: 18_121,
  statusSecret: 'secret of status',
  nasNetworks: ['10.0.0.0/8', 'fc00::/7'],
  nasCacheSeconds: 3_600,
  decisionTimeoutMs: 1_500,
  rejectDelaySeconds: 1,
  decisionPort: 18_120,
  identityFolder: '/run/engine/identity',
  dictionary: ['ATTRIBUTE Example-Tier 3100 string'],
  profiles: [{ ...profile, ...profileChanges, tls: { ...profile.tls, ...tls } }],
  proxying: noProxying,
});

const files = (...args: Parameters<typeof settings>) => engineFiles(settings(...args), '/run/engine/3');
const main = (...args: Parameters<typeof settings>) => files(...args).get('radiusd.conf')!;

test('the same settings produce the same files, with keys and secrets only where they are needed', () => {
  expect([...files()]).toEqual([...files()]);
  expect([...files().keys()]).toEqual([
    'dictionary',
    'access_reject',
    'radiusd.conf',
    'certs/7/certificate.pem',
    'certs/7/key.pem',
    'certs/7/authorities.pem',
  ]);
  expect([...files()].filter(([, text]) => text.includes('KEY')).map(([name]) => name)).toEqual(['certs/7/key.pem']);
  expect(main()).not.toContain('CERTIFICATE');
});

test('checks revocation lists if the profile requires it, also without a list', () => {
  expect(main()).toContain('check_crl = no');
  expect(files().get('certs/7/authorities.pem')).toBe('AUTHORITY\n');
  const checking = { checksRevocations: true };
  expect(main({}, checking)).not.toContain('check_crl = no');
  expect(files({}, checking).get('certs/7/authorities.pem')).toBe('AUTHORITY\nLIST\n');
  expect(main({}, { ...checking, revocationLists: [] })).not.toContain('check_crl = no');
});

test('offers EAP-TLS if an authority is trusted, and omits TLS 1.3 ciphers from the list', () => {
  expect(main()).toContain('virtual_server = check-cert');
  expect(main()).toContain('cipher_list = "ECDHE-RSA-AES256-GCM-SHA384"');
  const without = main({}, { authorities: [] });
  expect(without).not.toContain('virtual_server = check-cert');
  expect(without).toContain('default_eap_type = mschapv2');
});

test('sends no reply after a failed call, and no accept without a verdict', () => {
  const text = main();
  const calls = text.match(/^ *rest(_inner)? \{\n *fail = 1/gm)!;
  const silent = text.match(/&Response-Packet-Type := Do-Not-Respond/g)!;
  // The call after a reject may fail, because the reject is sent anyway.
  expect([calls.length, silent.length]).toEqual([4, 5]);
  expect(text).toContain('if (!&control:Portreeve-Verdict) {');
});

test('calls its own node by TLS, with certificates that both sides check, and without a key', () => {
  const text = main();
  const ownNode = `uri = "https://127.0.0.1:${settings().decisionPort}/radius/`;
  expect(text.match(/uri = "[^"]*"/g)!.filter((uri) => !uri.startsWith(ownNode))).toEqual([]);
  const calls = text.match(/^ *uri = /gm)!.length;
  for (const line of [
    'ca_info_file = /run/engine/identity/node-certificate.pem',
    'certificate_file = /run/engine/identity/engine-certificate.pem',
    'private_key_file = /run/engine/identity/engine-key.pem',
    'check_cert = yes',
    'check_cert_cn = yes',
  ])
    expect(text.split(line)).toHaveLength(calls + 1);
  expect(text).not.toContain('REST-HTTP-Header');
});

test('sends every body in chunks that fit attributes of any length', () => {
  const cluster = { folder: '/run/engine/cluster', urls: ['https://10.0.0.12:1'] };
  const text = engineFiles({ ...settings(), cluster }, '/run/engine/3').get('radiusd.conf')!;
  expect(text.match(/body = "json"\n *chunk = 65536\n/g)).toHaveLength(text.match(/body = /g)!.length);
});

test('calls another node only after each previous one failed, with the certificates of the cluster', () => {
  const cluster = { folder: '/run/engine/cluster', urls: ['https://10.0.0.12:1', 'https://[fd00::3]:1'] };
  const text = engineFiles({ ...settings(), cluster }, '/run/engine/3').get('radiusd.conf')!;
  const calls = (module: string) => text.match(new RegExp(`^ *${module} \\{\\n *fail = 1`, 'gm'))!.length;
  expect(['rest', 'rest_2', 'rest_3'].map(calls)).toEqual([3, 3, 3]);
  expect(['rest_inner', 'rest_inner_2', 'rest_inner_3'].map(calls)).toEqual([1, 1, 1]);
  expect(text).toContain('uri = "https://[fd00::3]:1/radius/authorize-inner?');
  expect(text).toContain('ca_info_file = /run/engine/cluster/others.pem');
});

test.each(['a\\b', 'a\nb', 'a\u0000'])('throws for %j, which cannot be written', (value) => {
  expect(() => quoted(value)).toThrow('cannot be written for the engine');
});

test('writes each setting to the files', () => {
  const text = main({
    ocsp: { url: 'http://ocsp.example.org/', softFail: true },
    allowsPap: true,
    allowsMab: false,
  });
  for (const line of [
    'lifetime = 3600',
    'timeout = 1.5',
    'fragment_size = 1002',
    'fragment_size = 1200',
    "url = 'http://ocsp.example.org/'",
    'softfail = yes',
    'port = 1812',
    'ipaddr = 10.0.0.0/8',
    'ipv6addr = fc00::/7',
  ])
    expect(text).toContain(line);
  const rejects = (profileChanges: Partial<EngineProfile>) => main(profileChanges).match(/^ +reject$/gm)!.length;
  const open = { allowsMab: true, allowsPap: true, allowsChap: true };
  // Without PAP a repeated name has its own reason for the reject.
  for (const [setting, refusals] of Object.entries({ allowsMab: 1, allowsPap: 2, allowsChap: 1 }))
    expect(rejects({ ...open, [setting]: false })).toBe(rejects(open) + refusals);
  expect(files().get('dictionary')).toContain('ATTRIBUTE Example-Tier 3100 string');
});
