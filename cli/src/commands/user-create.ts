import { operations } from '@portreeve/sdk/generated/operations.ts';
import { PortreeveError } from '@portreeve/sdk/runtime.ts';
import { connectionOptions } from '../account.ts';
import type { Command } from '../command.ts';
import { clientOf, findConnection, reasonOption } from '../connection.ts';
import { line } from '../output.ts';
import { escapeUnsafe } from '../text.ts';
import { readNetworkPassword } from '../user.ts';

export const userCreate: Command = {
  name: 'user create',
  replacesVerb: 'with-argument',
  positionals: ['USER'],
  doc: 'Create a network user; the password is prompted for, or read from standard input',
  about: [
    'Calls the API. Required permission: add hosts.',
    'The password is used for RADIUS only (PAP, CHAP, MS-CHAPv2, PEAP, TTLS), is stored encrypted, and cannot be read.',
    'Without --network-password the user can only log in with a certificate (EAP-TLS).',
  ],
  options: {
    'network-password': { doc: 'Prompt for a network password' },
    role: { value: 'NAME', doc: 'Role that policies match on' },
    'first-name': { value: 'TEXT', doc: 'First name' },
    'last-name': { value: 'TEXT', doc: 'Last name' },
    email: { value: 'ADDRESS', doc: 'Email address' },
    expires: {
      value: 'TIME',
      doc: 'Expiration date, from which RADIUS rejects the user, such as 2036-01-31T18:00:00Z (default: never)',
    },
    'dry-run': { doc: 'Check everything without creating anything' },
    ...reasonOption,
    ...connectionOptions,
  },
  async run(args, screen) {
    const userID = args.positionals[0]!;
    const client = clientOf(await findConnection(args, screen.env), args);
    const isDry = args.has('dry-run');
    const password = args.has('network-password') && !isDry ? await readNetworkPassword(userID) : undefined;
    const settings = fields.flatMap(([option, field]) => (args.has(option) ? [[field, args.text(option)]] : []));
    const body = {
      userID,
      ...Object.fromEntries(settings),
      ...(password !== undefined && { networkPassword: password }),
    };
    try {
      await client.call(operations['user.create'], { ...(isDry && { dryRun: true }), body });
    } catch (error) {
      if (!(error instanceof PortreeveError) || error.word !== 'duplicate') throw error;
      const { word, httpCode, requestId } = error;
      throw new PortreeveError(
        `There is already a user ${JSON.stringify(userID)}. Change the password with portreeve user set-password ${userID}.`,
        { word, httpCode, requestId, cause: error },
      );
    }
    if (isDry) return line(screen.out, `${escapeUnsafe(userID)} can be created. Nothing was created.`);
    const how = password === undefined ? 'can log in with a certificate' : 'can log in to the network';
    await line(screen.out, `${escapeUnsafe(userID)} ${how}.`);
  },
};

const fields = [
  ['role', 'role'],
  ['first-name', 'firstName'],
  ['last-name', 'lastName'],
  ['email', 'email'],
  ['expires', 'expirationDate'],
] as const;
