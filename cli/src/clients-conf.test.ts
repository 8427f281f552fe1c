import { expect, test } from 'vitest';
import { readClientsConf } from './clients-conf.ts';

test('readClientsConf reads clients with an address and a secret in every notation', () => {
  const { clients, leftOut } = readClientsConf(`
# clients.conf
client sw-ward-3 {
\tipaddr = 10.20.0.7   # core
\tsecret = testing123
\tnas_type = cisco
\tlimit {
\t\tmax_connections = 16
\t}
}
client 10.20.0.8 {
  secret = "with \\"quotes\\" \\\\ # and {braces}" # quoted
  shortname = 'sw 4'
}
client 10.20.0.10 { secret = one shortname = two }
client 10.20.0.11 { secret = one }
client v6 {
  ipv6addr = 2001:db8::7/128
  secret = 'it\\'s'
}
client old {
  ipaddr = 10.20.0.9
  netmask = 32
  secret=a#b
}`);
  expect(clients).toEqual([
    { name: 'sw-ward-3', address: '10.20.0.7', secret: 'testing123', line: 3 },
    { name: 'sw 4', address: '10.20.0.8', secret: 'with "quotes" \\ # and {braces}', line: 11 },
    { name: '10.20.0.11', address: '10.20.0.11', secret: 'one', line: 16 },
    { name: 'v6', address: '2001:db8::7', secret: "it's", line: 17 },
    { name: 'old', address: '10.20.0.9', secret: 'a#b', line: 21 },
  ]);
  // The end of an unclosed secret is not guessed.
  expect(leftOut).toEqual([
    { line: 15, what: 'secret = …' },
    { line: 15, what: 'client 10.20.0.10 has no secret' },
  ]);
});

test('readClientsConf lists skipped entries with their line and without secrets', () => {
  const { clients, leftOut } = readClientsConf(`client campus {
  ipaddr = 10.0.0.0/8
  secret = hunter2
}
client named {
  ipaddr = switch.example
  secret = hunter2
}
client empty {
  ipaddr = 10.20.0.1
}
client referring {
  ipaddr = 10.20.0.2
  secret = \${shared}
}
client twice {
  ipaddr = 10.20.0.3
  secret = hunter2
  virtual_server = guests
}
client again {
  ipaddr = 10.20.0.3
  secret = hunter2
}
home_server other {
  secret = hunter2
}
$INCLUDE more.conf
secret = hunter2
client broken {
  secret = "hunter2
`);
  expect(clients.map(({ name }) => name)).toEqual(['twice']);
  expect(leftOut).toEqual([
    { line: 1, what: 'client campus: 10.0.0.0/8 is a network: add each of its devices' },
    { line: 5, what: 'client named: switch.example is not an address' },
    { line: 9, what: 'client empty has no secret' },
    { line: 12, what: 'client referring: its secret is a reference' },
    { line: 19, what: 'virtual_server = guests of client twice' },
    { line: 21, what: 'client again: 10.20.0.3 is already in the file' },
    { line: 25, what: 'section home_server other' },
    { line: 28, what: '$INCLUDE more.conf' },
    { line: 29, what: 'secret = …' },
    { line: 30, what: 'client broken: broken is not an address' },
    { line: 31, what: 'secret = …' },
  ]);
  expect(JSON.stringify(leftOut)).not.toContain('hunter2');
});
