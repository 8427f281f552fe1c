import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { identityFiles } from '@portreeve/server/radius/engine-files/engine-files.ts';

/** The minimum cost of a response to the engine: the body is read, and the same bytes are sent each time. */
const [port, secret, identityFolder] = process.argv.slice(2) as [string, string, string];
const value = (text: string) => ({ do_xlat: false, is_json: false, op: ':=', value: [text] });
const client = (address: string) =>
  JSON.stringify({
    'control:FreeRADIUS-Client-IP-Address': value(address),
    'control:FreeRADIUS-Client-Secret': value(secret),
    'control:FreeRADIUS-Client-Shortname': value('constant'),
    'control:FreeRADIUS-Client-Require-MA': value('yes'),
    'control:FreeRADIUS-Client-Virtual-Server': value('access-1'),
  });
const answer = JSON.stringify({
  'control:Auth-Type': value('Accept'),
  'control:Portreeve-Verdict': value('ACCEPT'),
  'reply:Tunnel-Type': value('VLAN'),
  'reply:Tunnel-Medium-Type': value('IEEE-802'),
  'reply:Tunnel-Private-Group-Id': value('1'),
});
const headers = { 'content-type': 'application/json' };
const file = (name: string) => readFileSync(join(identityFolder, name));
const tls = { key: file(identityFiles.nodeKey), cert: file(identityFiles.nodeCertificate) };
const server = createServer(tls, (request, response) => {
  const [, , what, address] = new URL(request.url!, 'http://engine').pathname.split('/');
  if (what === 'nas') return response.writeHead(200, headers).end(client(address!));
  request.on('data', () => undefined).on('end', () => response.writeHead(200, headers).end(answer));
});
server.keepAliveTimeout = 75_000;
server.listen(Number(port), '127.0.0.1', () => process.send!({ port: Number(port) }));
process.once('SIGTERM', () => process.exit(0));
