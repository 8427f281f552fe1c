import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { outboundGuard } from '../outbound/outbound.ts';
import { snmpClient, systemNames } from './client.ts';
import {
  type CommunityMessage,
  decodeMessage,
  encodeCommunityMessage,
  type Pdu,
  type RequestPdu,
  type V3Message,
} from './message.ts';
import type { SnmpTarget } from './snmp.ts';
import { isAuthentic, keysOf, openMessage, sealMessage, type UsmUser } from './usm.ts';

const host = '127.0.0.1';
const engineId = Buffer.from('80001f880400112233445566', 'hex');
const user: UsmUser = {
  userName: 'op',
  auth: { protocol: 'SHA', password: 'auth-pass-123' },
  priv: { protocol: 'AES', password: 'priv-pass-456' },
};
const outbound = outboundGuard({ allow: ['127.0.0.1/32'], refuse: [] });
const open: { close(): void }[] = [];
afterEach(() => {
  for (const closable of open.splice(0)) closable.close();
});

async function socketOn(
  onMessage: (datagram: Buffer, sender: RemoteInfo, socket: Socket) => void,
): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4');
  open.push(socket);
  socket.bind(0, host);
  await once(socket, 'listening');
  socket.on('message', (datagram, sender) => onMessage(datagram, sender, socket));
  return { socket, port: socket.address().port };
}

function client() {
  const snmp = snmpClient({ outbound });
  open.push(snmp);
  return snmp;
}

const target = (port: number, credential: SnmpTarget['credential']): SnmpTarget => ({
  host,
  port,
  credential,
  timeoutMs: 700,
  retries: 0,
});
const replyWithName = (request: Pdu, name: string): RequestPdu => ({
  ...(request as RequestPdu),
  type: 'response',
  varbinds: [{ oid: systemNames.name, type: 'octets', value: Buffer.from(name) }],
});

describe('snmp client with an imitated agent', () => {
  test('believes neither another address, nor another request, nor another community', async () => {
    const stranger = await socketOn(() => {});
    const agent = await socketOn((datagram, sender, socket) => {
      const message = decodeMessage(datagram) as CommunityMessage;
      const answer = (change: Partial<CommunityMessage>) => encodeCommunityMessage({ ...message, ...change });
      const id = (message.pdu as RequestPdu).requestId;
      stranger.socket.send(answer({ pdu: replyWithName(message.pdu, 'stranger') }), sender.port, sender.address, () => {
        socket.send(
          answer({ pdu: { ...replyWithName(message.pdu, 'other request'), requestId: id ^ 1 } }),
          sender.port,
          sender.address,
        );
        socket.send(
          answer({ community: Buffer.from('guess'), pdu: replyWithName(message.pdu, 'other community') }),
          sender.port,
          sender.address,
        );
        socket.send(Buffer.from('30ff', 'hex'), sender.port, sender.address);
        socket.send(answer({ pdu: replyWithName(message.pdu, 'the agent') }), sender.port, sender.address);
      });
    });
    const snmp = client();
    const [name] = await snmp.get(target(agent.port, { version: 'v2c', community: 'public' }), [systemNames.name]);
    expect(String(name?.value)).toBe('the agent');
    expect(snmp.stats().strayPackets).toBe(4);
  });

  test('rejects a reply with a lower security level than the request', async () => {
    const keys = keysOf(user, engineId);
    let requestCount = 0;
    const agent = await socketOn((datagram, sender, socket) => {
      const message = decodeMessage(datagram) as V3Message;
      const envelope = {
        msgId: message.msgId,
        isReportable: false,
        engineId,
        boots: 1,
        time: 100,
        userName: message.userName,
      };
      const send = (sealedWith: typeof keys, pdu: RequestPdu) =>
        socket.send(
          sealMessage(envelope, sealedWith, { contextEngineId: engineId, contextName: '', pdu }),
          sender.port,
          sender.address,
        );
      if (message.engineId.length === 0) {
        const varbinds = [{ oid: [1, 3, 6, 1, 6, 3, 15, 1, 1, 4, 0], type: 'counter' as const, value: 1 }];
        send({}, { type: 'report', requestId: 0, errorStatus: 0, errorIndex: 0, varbinds });
        return;
      }
      requestCount += 1;
      expect(isAuthentic(message, keys)).toBe(true);
      const { pdu } = openMessage(message, keys);
      send({}, replyWithName(pdu, 'unsigned'));
      send({ auth: keys.auth! }, replyWithName(pdu, 'not encrypted'));
      send(
        keysOf({ ...user, auth: { protocol: 'SHA', password: 'other-pass-123' } }, engineId),
        replyWithName(pdu, 'signed by another'),
      );
      if (requestCount > 1) send(keys, replyWithName(pdu, 'the agent'));
    });
    const snmp = client();
    const asking = () => snmp.get(target(agent.port, { version: 'v3', user }), [systemNames.name]);
    await expect(asking()).rejects.toThrow('did not respond');
    const [name] = await asking();
    expect(String(name?.value)).toBe('the agent');
  });

  test('sends nothing if the password is shorter than 8 characters', async () => {
    const agent = await socketOn(() => expect.unreachable());
    const short = { ...user, auth: { protocol: 'SHA' as const, password: 'short' } };
    await expect(client().get(target(agent.port, { version: 'v3', user: short }), [systemNames.name])).rejects.toThrow(
      'at least 8 characters',
    );
  });
});
