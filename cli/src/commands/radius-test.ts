import { readMac } from '@portreeve/server/kernel/values/mac.ts';
import { readSecret } from '../ask.ts';
import type { Command } from '../command.ts';
import { line, type Pen } from '../output.ts';
import { escapedJson, escapeUnsafe } from '../text.ts';
import { UsageError } from '../usage-error.ts';

export const radiusTest: Command = {
  name: 'radius test',
  positionals: ['DEVICE'],
  doc: 'Test which reply the RADIUS service would send to an access device',
  about: [
    'Sends a RADIUS packet to the engine of this node and decides as if DEVICE (name, address or ID) had sent it.',
    'Nothing is stored: no host, connection or log entry. Without --user the test uses MAC authentication (MAB); with --user the password is prompted for, or read from standard input. Run it as the user of the service. Exit code 1: not accepted.',
  ],
  options: {
    mac: { value: 'MAC', doc: 'MAC address of the host' },
    port: { value: 'NAME', doc: 'Port of the device' },
    ssid: { value: 'NAME', doc: 'SSID' },
    user: { value: 'NAME', doc: 'Log in with user name and password (MS-CHAP)' },
    json: { doc: 'Print JSON, for scripts' },
  },
  async run(args, screen) {
    const mac = readMac(args.text('mac') ?? '');
    if (!mac) throw new UsageError('--mac is required: the MAC address of the host, such as --mac 00:1D:09:11:22:33.');
    const { LoginNotTestableError, tryLogin } = await import('@portreeve/server/node/try-login.ts');
    const { readConfig } = await import('@portreeve/server/node/config.ts');
    const name = args.text('user');
    const user = name === undefined ? undefined : { name, password: await readSecret(`Password for ${name}: `) };
    const login = { device: args.positionals[0]!, mac, port: args.text('port'), ssid: args.text('ssid'), user };
    const reply = await tryLogin(await readConfig(screen.env), login).catch((error: Error) => {
      throw error instanceof LoginNotTestableError ? new UsageError(error.message) : error;
    });
    if (args.has('json')) await line(screen.out, escapedJson(reply, 2));
    else await printReply(screen.out, reply);
    if (reply.code !== 'Access-Accept') process.exitCode = 1;
  },
};

type Reply = Awaited<ReturnType<typeof import('@portreeve/server/node/try-login.ts').tryLogin>>;

async function printReply(pen: Pen, { code, attributes, note, tookMs }: Reply): Promise<void> {
  if (code === 'none')
    return line(
      pen,
      `${pen.style('red', 'No reply')} within 5 s: no node could decide. See portreeve server-configuration log.`,
    );
  const verdict = note && note.cause !== 'NONE' ? `${code} ${note.cause}` : code;
  const times = `${note ? `decided in ${Math.round(note.tookMs)} ms, ` : ''}answered in ${Math.round(tookMs)} ms`;
  await line(pen, `${pen.style(code === 'Access-Accept' ? 'green' : 'red', verdict)}  ${pen.style('dim', times)}`);
  for (const { name, value } of attributes) await line(pen, `  ${escapeUnsafe(name)} = ${escapeUnsafe(value)}`);
  if (note) await line(pen, escapeUnsafe(note.message));
}
