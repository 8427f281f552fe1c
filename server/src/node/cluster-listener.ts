import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { systemOrigin } from '../kernel/declare/caller.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { makeKey, selfSigned } from '../protocols/x509/make-certificate.ts';
import { clusterFiles } from '../radius/engine-files/engine-files.ts';
import { raiseCluster, raiseRadius } from '../radius/rollout/rollout.service.ts';
import { type EngineRequests, end, handshakeMs, listen } from './decision-listener.ts';
import { peerFingerprint } from './peer-certificate.ts';

/** The address at which the engines of other nodes reach this node. */
export interface ClusterPlace {
  address: string;
  port: number;
}

const dayMs = 86_400_000;
const validDays = 365;
/** A certificate that expires sooner is replaced. */
const remainingDaysMin = 30;
const sweepMs = 3_600_000;

const numberSql = `select g.wanted from config_generation g where g.topic = 'cluster'`;

const storedSql = `select (c.address, c.port) = ($2::inet, $3::integer) as "isPlaced", c.certificate = $4 as "isKnown"
from cluster_address c where c.node = $1 for update`;

const storeSql = `insert into cluster_address as c (node, address, port, certificate) values ($1, $2, $3, $4)
on conflict (node) do update set address = excluded.address, port = excluded.port, certificate = excluded.certificate,
  renewed = clock_timestamp()`;

/** Deletes nodes after a week. A node may be down for a weekend, while its engine runs and uses the other nodes. */
const deleteStoppedSql = `delete from cluster_address c where c.renewed < clock_timestamp() - interval '7 days'`;

const otherNodesSql = 'select c.certificate from cluster_address c where c.node <> $1 order by c.node';

/**
 * The listener for the engines of other nodes, which use it while their own node does not respond. Each node creates its own key and
 * certificate. The key never leaves the node; the certificate is stored in the database, and only stored certificates are accepted.
 */
export class ClusterListener {
  readonly #folder: string;
  readonly #place: ClusterPlace;
  readonly #node: string;
  readonly #runtime: Runtime;
  readonly #clock: () => number;
  readonly #onError: (error: Error) => void;
  #ownTls: { key: string; certificate: string } | undefined;
  #otherNodes: readonly string[] = [];
  #knownFingerprints: ReadonlySet<string> = new Set();
  #server: Server | undefined;
  #timer: NodeJS.Timeout | undefined;
  #currentWork: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(
    { folder, ...place }: ClusterPlace & { folder: string },
    parts: {
      node: string;
      runtime: Runtime;
      generations: CacheInvalidation;
      clock: () => number;
      onError: (error: Error) => void;
    },
  ) {
    this.#folder = folder;
    this.#place = place;
    this.#node = parts.node;
    this.#runtime = parts.runtime;
    this.#clock = parts.clock;
    this.#onError = parts.onError;
    parts.generations.follow({
      channel: 'cluster_changed',
      sql: numberSql,
      forget: () => this.#enqueue(() => this.#readOtherNodes()),
    });
  }

  /** Stores the certificate of this node for the others, and writes the files for its engine. */
  async prepare(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await this.#runInOrder(() => this.#sweep());
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.#enqueue(() => this.#sweep()), sweepMs).unref();
  }

  async listen(requests: EngineRequests): Promise<Server> {
    const server = createServer({ ...this.#tls(), handshakeTimeout: handshakeMs }, (request, response) => {
      if (!this.#isKnown(request.socket as TLSSocket)) return end(response, 403);
      requests.answer(request, response, { isOfThisNode: false });
    });
    await listen(server, { port: this.#place.port, host: this.#place.address });
    this.#server = server;
    return server;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    await this.#currentWork;
  }

  #enqueue(work: () => Promise<void>): void {
    this.#runInOrder(work).catch(this.#onError);
  }

  #runInOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#currentWork.then(() => (this.#isClosed ? undefined : work()));
    this.#currentWork = done.catch(() => undefined);
    return done;
  }

  async #identify(): Promise<void> {
    const ownTls = (await this.#readStoredTls()) ?? (await this.#makeTls());
    const { address, port } = this.#place;
    await this.#runtime.transact(systemOrigin('cluster'), async ({ client }) => {
      const values = [this.#node, address, port, ownTls.certificate];
      const { rows } = await client.query<{ isPlaced: boolean; isKnown: boolean }>(storedSql, values);
      const [before] = rows;
      await client.query(storeSql, values);
      if (!before?.isPlaced) await raiseRadius(client);
      if (!before?.isPlaced || !before.isKnown) await raiseCluster(client);
    });
    this.#ownTls = ownTls;
  }

  /** Returns the key and certificate of the last start, or undefined if there are none or they cannot be used any more. */
  async #readStoredTls(): Promise<{ key: string; certificate: string } | undefined> {
    try {
      const [key, certificate] = await Promise.all(
        [clusterFiles.key, clusterFiles.certificate].map((name) => readFile(join(this.#folder, name), 'utf8')),
      );
      const parsedCertificate = new X509Certificate(certificate!);
      const isUsable =
        parsedCertificate.checkPrivateKey(createPrivateKey(key!)) &&
        parsedCertificate.checkIP(this.#place.address) !== undefined &&
        parsedCertificate.validToDate.getTime() - this.#clock() > remainingDaysMin * dayMs;
      return isUsable ? { key: key!, certificate: certificate! } : undefined;
    } catch {
      return undefined;
    }
  }

  async #makeTls(): Promise<{ key: string; certificate: string }> {
    const key = await makeKey('EC_P256');
    const certificate = selfSigned(key, { CN: this.#node.slice(0, 64) }, [this.#place.address], {
      nowMs: this.#clock(),
      days: validDays,
      usages: ['serverAuth', 'clientAuth'],
    });
    await this.#write(clusterFiles.key, key);
    await this.#write(clusterFiles.certificate, certificate);
    return { key, certificate };
  }

  async #readOtherNodes(): Promise<void> {
    if (!this.#ownTls) return;
    const { rows } = await this.#runtime.pool.query<{ certificate: string }>(otherNodesSql, [this.#node]);
    this.#otherNodes = rows.map(({ certificate }) => certificate);
    this.#knownFingerprints = new Set(this.#otherNodes.map((pem) => new X509Certificate(pem).fingerprint256));
    await this.#write(clusterFiles.others, this.#trusted().join(''));
    this.#server?.setSecureContext(this.#tls());
  }

  /** Returns the trusted certificates. Never empty, because with an empty list Node.js would trust the authorities of the system. */
  #trusted(): readonly string[] {
    return [this.#ownTls!.certificate, ...this.#otherNodes];
  }

  #tls() {
    const { key, certificate } = this.#ownTls!;
    return {
      key,
      cert: certificate,
      ca: [...this.#trusted()],
      requestCert: true,
      rejectUnauthorized: true,
      minVersion: 'TLSv1.3' as const,
    };
  }

  /** True if the certificate of the peer is stored. Checked for each request: it may have been deleted after the connection was opened. */
  #isKnown(socket: TLSSocket): boolean {
    const fingerprint = peerFingerprint(socket);
    return fingerprint !== undefined && this.#knownFingerprints.has(fingerprint);
  }

  /** Renews the entry of this node, with a new certificate if the current one expires soon, and deletes stopped nodes. */
  async #sweep(): Promise<void> {
    await this.#identify();
    await this.#removeStoppedNodes();
    await this.#readOtherNodes();
  }

  async #removeStoppedNodes(): Promise<void> {
    await this.#runtime.transact(systemOrigin('cluster'), async ({ client }) => {
      const { rowCount } = await client.query(deleteStoppedSql);
      if (rowCount === 0) return;
      await raiseRadius(client);
      await raiseCluster(client);
    });
  }

  /** Replaces a file atomically, because the engine may read it at any time. */
  async #write(name: string, text: string): Promise<void> {
    const file = join(this.#folder, name);
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
}
