import { X509Certificate } from 'node:crypto';
import type { Server } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import { type AddressInfo, isIPv6 } from 'node:net';
import { hostname } from 'node:os';
import { connect } from 'node:tls';
import type { CacheInvalidation, Runtime } from '../../context.ts';
import { sha256Of } from '../../protocols/x509/read-certificate.ts';
import { type ListenerCertificate, listenerCertificate } from './certificate-target.service.ts';

const target = 'admin_ui';
const renewMs = 2_000;
const connectMsMax = 5_000;
const optionsOf = ({ cert, key }: ListenerCertificate) => ({ cert, key, minVersion: 'TLSv1.2' as const });

const generationSql = 'select r.generation from listener_restart r';

const renewSql = `insert into node_listener as l (node, target, generation, sha256, fault) values ($1, $2, $3, $4, $5)
on conflict (node, target) do update
set generation = excluded.generation, sha256 = excluded.sha256, fault = excluded.fault, renewed = clock_timestamp()`;

const forgetSql = `delete from node_listener l where l.node = $1 or l.renewed < clock_timestamp() - interval '1 day'`;

/** The HTTPS listener of this node: takes its certificate when somebody asks all nodes to, without closing a connection. */
export class HttpsListener {
  readonly #runtime: Runtime;
  readonly #onError: (error: Error) => void;
  readonly #node = `${hostname()}, process ${process.pid}`;
  #server: HttpsServer | undefined;
  #served: ListenerCertificate | undefined;
  #generation = 0;
  #fault: string | null = null;
  #timer: NodeJS.Timeout | undefined;
  #working: Promise<void> = Promise.resolve();

  constructor(runtime: Runtime, generations: CacheInvalidation, onError: (error: Error) => void) {
    this.#runtime = runtime;
    this.#onError = onError;
    generations.follow({ channel: 'listeners_changed', sql: generationSql, forget: () => this.#enqueue() });
  }

  /** What to listen with at first. */
  async certificate(): Promise<ListenerCertificate> {
    this.#generation = await this.#asked();
    this.#served = await listenerCertificate(this.#runtime, target);
    return this.#served;
  }

  /** From now on follows what is asked of it, and says what it serves. */
  serve(server: Server): void {
    this.#server = server as HttpsServer;
    this.#enqueue();
    this.#timer = setInterval(() => this.#enqueue(), renewMs).unref();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    this.#server = undefined;
    await this.#working;
    await this.#runtime.pool.query(forgetSql, [this.#node]).catch(this.#onError);
  }

  /** One at a time; what fails is tried again with the next renewal. */
  #enqueue(): void {
    this.#working = this.#working.then(() => this.#follow()).catch(this.#onError);
  }

  async #follow(): Promise<void> {
    const server = this.#server;
    if (!server) return;
    const asked = await this.#asked();
    if (asked !== this.#generation) await this.#take(server, asked);
    const sha256 = sha256Of(new X509Certificate(this.#served!.cert));
    await this.#runtime.pool.query(renewSql, [this.#node, target, this.#generation, sha256, this.#fault]);
  }

  /** A certificate that is not served once it was taken is put back. */
  async #take(server: HttpsServer, asked: number): Promise<void> {
    const wanted = await listenerCertificate(this.#runtime, target);
    const before = this.#served!;
    try {
      server.setSecureContext(optionsOf(wanted));
      await refuseOther(server, wanted);
      this.#served = wanted;
      this.#fault = null;
    } catch (error) {
      server.setSecureContext(optionsOf(before));
      this.#fault = String((error as Error).message).slice(0, 500);
    }
    this.#generation = asked;
  }

  async #asked(): Promise<number> {
    const { rows } = await this.#runtime.pool.query<{ generation: number }>(generationSql);
    return rows[0]!.generation;
  }
}

/** Connects to the listener as a client would, and compares. One that does not listen yet has nothing to show. */
async function refuseOther(server: HttpsServer, { cert }: ListenerCertificate): Promise<void> {
  const address = server.address() as AddressInfo | null;
  if (!address) return;
  const anyAddress = isIPv6(address.address) ? '::1' : '127.0.0.1';
  const host = ['::', '0.0.0.0'].includes(address.address) ? anyAddress : address.address;
  const seen = await new Promise<X509Certificate | undefined>((done, fail) => {
    // Whom it is for is not the question here, but which one it is.
    const socket = connect({ host, port: address.port, rejectUnauthorized: false, timeout: connectMsMax });
    socket.once('secureConnect', () => {
      done(socket.getPeerX509Certificate());
      socket.destroy();
    });
    socket.once('timeout', () =>
      socket.destroy(new Error(`The listener did not answer in ${connectMsMax / 1_000} s.`)),
    );
    socket.once('error', fail);
  });
  if (seen?.fingerprint256 !== new X509Certificate(cert).fingerprint256)
    throw new Error('The listener serves another certificate than the one it was given.');
}
