import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import type { CacheInvalidation } from '../kernel/database/cache-invalidation.ts';
import { enableTls, type ListenerTls } from '../kernel/http/listener-tls.ts';
import type { Runtime } from '../kernel/write/runtime.ts';
import { apiTls, type DeployedTls } from '../network/tls-service-configuration/tls-service-configuration.service.ts';
import { sha256Of } from '../protocols/x509/read-certificate.ts';
import { servedCertificate } from '../protocols/x509/served-certificate.ts';

const renewMs = 2_000;

const generationSql = 'select r.generation from listener_restart r';

const renewSql = `insert into node_listener as l (node, configuration_id, generation, sha256, fault) values ($1, $2, $3, $4, $5)
on conflict (node, configuration_id) do update
set generation = excluded.generation, sha256 = excluded.sha256, fault = excluded.fault, renewed = clock_timestamp()`;

const forgetSql = `delete from node_listener l where l.node = $1 or l.renewed < clock_timestamp() - interval '1 day'`;

/** The HTTPS listener of this node. It uses the last deployed certificate, and loads a new one on request without closing connections. */
export class HttpsListener {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  readonly #node = `${hostname()}, process ${process.pid}`;
  #server: HttpsServer | undefined;
  #served: DeployedTls | undefined;
  #generation = 0;
  #fault: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #currentWork: Promise<void> = Promise.resolve();
  #isWaiting = false;

  constructor(runtime: Runtime, generations: CacheInvalidation, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
    generations.follow({ channel: 'listeners_changed', sql: generationSql, forget: () => this.#enqueue() });
  }

  /** Returns the TLS options for the start. */
  async tls(): Promise<ListenerTls> {
    this.#generation = await this.#readGeneration();
    this.#served = await apiTls(this.#runtime);
    return this.#served.tls;
  }

  /** Starts to follow requested changes, and to report the served certificate. */
  serve(server: Server): void {
    this.#server = server as HttpsServer;
    this.#enqueue();
    this.#timer = setInterval(() => this.#enqueue(), renewMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server = undefined;
    await this.#currentWork;
    await this.#runtime.pool.query(forgetSql, [this.#node]).catch(this.#onError);
  }

  /** Runs one update at a time, and queues at most one more. A failed update is retried with the next renewal. */
  #enqueue(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#currentWork = this.#currentWork.then(() => this.#update()).catch(this.#onError);
  }

  async #update(): Promise<void> {
    this.#isWaiting = false;
    const server = this.#server;
    if (!server) return;
    const requestedGeneration = await this.#readGeneration();
    if (requestedGeneration !== this.#generation) await this.#replaceTls(server, requestedGeneration);
    const { configurationId, tls } = this.#served!;
    const sha256 = sha256Of(new X509Certificate(tls.cert));
    await this.#runtime.pool.query(renewSql, [this.#node, configurationId, this.#generation, sha256, this.#fault]);
  }

  /** Replaces the certificate. If the listener does not serve the new one, the previous one is restored. */
  async #replaceTls(server: HttpsServer, requestedGeneration: number): Promise<void> {
    const deployedTls = await apiTls(this.#runtime);
    const before = this.#served!;
    try {
      enableTls(server, deployedTls.tls);
      await requireServedCertificate(server, deployedTls.tls);
      this.#served = deployedTls;
      this.#fault = null;
    } catch (error) {
      enableTls(server, before.tls);
      this.#fault = String((error as Error).message).slice(0, 500);
    }
    this.#generation = requestedGeneration;
  }

  async #readGeneration(): Promise<number> {
    const { rows } = await this.#runtime.pool.query<{ generation: number }>(generationSql);
    return rows[0]!.generation;
  }
}

/** Connects to the listener as a client and throws if it serves another certificate. Does nothing if it does not listen yet. */
async function requireServedCertificate(server: HttpsServer, { cert }: ListenerTls): Promise<void> {
  const address = server.address() as AddressInfo | null;
  if (!address) return;
  const loopback = isIPv6(address.address) ? '::1' : '127.0.0.1';
  const host = ['::', '0.0.0.0'].includes(address.address) ? loopback : address.address;
  const served = await servedCertificate(host, address.port);
  if (served?.fingerprint256 !== new X509Certificate(cert).fingerprint256)
    throw new Error('The listener serves another certificate than the one it was given.');
}
