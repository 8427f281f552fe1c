import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import type { Server } from 'node:https';
import { join } from 'node:path';
import type { SecureContextOptions, TLSSocket } from 'node:tls';
import { makeKey, selfSigned } from '../protocols/x509/make-certificate.ts';
import { identityFiles } from '../radius/engine-files/engine-files.ts';
import { peerFingerprint } from './peer-certificate.ts';

/** Returns the folder of the identity files within the folder of an engine. */
export const identityFolderOf = (radiusFolder: string): string => join(radiusFolder, 'identity');

type Identity = Record<keyof typeof identityFiles, string>;

export const decisionAddress = '127.0.0.1';

/**
 * The validity of the certificates. The next start of the engine replaces them, not their expiration: the clock of a machine that has just
 * booted may be years off, and an engine may run for years.
 */
const validFromMs = Date.UTC(2000, 0, 1);
const validDays = Math.floor((Date.UTC(9999, 0, 1) - validFromMs) / 86_400_000);

/**
 * The keys and certificates by which a node and its own engine authenticate each other on loopback. While the node is stopped, any local
 * user can listen at the decision port, but the engine sends nothing to a listener without the key of the node. Recorded traffic of the
 * engine does not authenticate to the node. The files remain when the node stops, because its engine runs on, and are replaced at each start
 * of the engine. A process that can read the folder can impersonate the node, so only the user of the service can read it.
 */
export class EngineIdentity {
  readonly #folder: string;
  #current: Identity | undefined;
  #engineFingerprint: string | undefined;
  #server: Server | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Reads the files that a running engine uses, or creates new ones. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const stored = await readIdentity(this.#folder);
    if (stored) this.#use(stored);
    else await this.renew();
  }

  /** Replaces all keys and certificates. No engine may run meanwhile: it would read files that do not belong together. */
  async renew(): Promise<void> {
    const identity = await makeIdentity();
    for (const [part, name] of Object.entries(identityFiles)) {
      const file = join(this.#folder, name);
      await writeFile(`${file}.new`, identity[part as keyof Identity], { mode: 0o600 });
      await rename(`${file}.new`, file);
    }
    this.#use(identity);
  }

  /** Options of the decision listener. */
  tls(): SecureContextOptions & { requestCert: true; rejectUnauthorized: true } {
    const { nodeKey, nodeCertificate, engineCertificate } = this.#current!;
    return {
      key: nodeKey,
      cert: nodeCertificate,
      ca: [engineCertificate],
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.3',
    };
  }

  /** Updates the certificates of a listener whenever they are replaced. */
  follow(server: Server): void {
    this.#server = server;
    server.setSecureContext(this.tls());
  }

  /** True if the peer is the engine. Checked for each request: an earlier engine may have opened the connection. */
  isEngine(socket: TLSSocket): boolean {
    return this.#engineFingerprint !== undefined && peerFingerprint(socket) === this.#engineFingerprint;
  }

  #use(identity: Identity): void {
    this.#current = identity;
    this.#engineFingerprint = new X509Certificate(identity.engineCertificate).fingerprint256;
    this.#server?.setSecureContext(this.tls());
  }
}

/** Returns the TLS options with which the engine connects to the node; undefined: the files are absent or not readable. */
export async function engineTls(folder: string): Promise<{ ca: string; cert: string; key: string } | undefined> {
  const identity = await readIdentity(folder);
  return identity && { ca: identity.nodeCertificate, cert: identity.engineCertificate, key: identity.engineKey };
}

/** Returns the stored identity; undefined: there is none, or its files do not belong together. */
async function readIdentity(folder: string): Promise<Identity | undefined> {
  try {
    const readText = (name: string) => readFile(join(folder, name), 'utf8');
    const identity: Identity = {
      nodeKey: await readText(identityFiles.nodeKey),
      nodeCertificate: await readText(identityFiles.nodeCertificate),
      engineKey: await readText(identityFiles.engineKey),
      engineCertificate: await readText(identityFiles.engineCertificate),
    };
    const belongs = (certificate: string, key: string) =>
      new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    const isWhole =
      belongs(identity.nodeCertificate, identity.nodeKey) && belongs(identity.engineCertificate, identity.engineKey);
    return isWhole ? identity : undefined;
  } catch {
    // Absent or damaged files are replaced by the next start of the engine.
    return undefined;
  }
}

async function makeIdentity(): Promise<Identity> {
  const certificateOf = (key: string, name: string, usage: 'serverAuth' | 'clientAuth') =>
    selfSigned(key, { CN: name }, usage === 'serverAuth' ? [decisionAddress] : [], {
      nowMs: validFromMs,
      days: validDays,
      usages: [usage],
    });
  const [nodeKey, engineKey] = await Promise.all([makeKey('EC_P256'), makeKey('EC_P256')]);
  return {
    nodeKey,
    nodeCertificate: certificateOf(nodeKey, 'node', 'serverAuth'),
    engineKey,
    engineCertificate: certificateOf(engineKey, 'engine', 'clientAuth'),
  };
}
