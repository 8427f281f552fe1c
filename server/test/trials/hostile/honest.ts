import { setTimeout as sleep } from 'node:timers/promises';
import { largeList } from './hostile-cell.ts';
import type { Target } from './target.ts';
import { faultOf } from './verdict.ts';
import { Wire } from './wire.ts';

const pauseMs = 50;
const answerMsMax = 60_000;

/** The responses that an honest client got during one stage. */
export interface HonestStage {
  stage: string;
  answered: number;
  medianMs: number;
  worstMs: number;
}

/**
 * A client that works while others misbehave: it reads, lists and writes, on a kept connection and on new ones, and
 * checks the responses.
 */
export class HonestClient {
  readonly failures: string[] = [];
  readonly stages: HonestStage[] = [];
  readonly #target: Target;
  #kept: Wire | undefined;
  #tookMs: number[] = [];
  #isStopped = false;
  #working: Promise<void> | undefined;
  #id = 0;
  #notes = 0;

  constructor(target: Target) {
    this.#target = target;
  }

  /** Creates its record, then works until it is stopped. */
  async start(): Promise<void> {
    const { location } = await this.#ask('POST', '/api/v2/device/container', { name: 'honest' });
    this.#id = Number(location?.split('/').at(-1));
    this.#working = this.#work();
  }

  /** Stops, and then checks that the node still works: with a large list, and by creating and deleting a record. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#working;
    try {
      const { results, total } = await this.#ask('GET', largeList);
      if (results?.length !== total) throw new Error(`the large list has ${results?.length} of ${total} records`);
      const { location } = await this.#ask('POST', '/api/v2/device/container', { name: 'afterwards' });
      const { results: createdRecords } = await this.#ask('GET', location!);
      if (createdRecords?.[0]?.name !== 'afterwards')
        throw new Error(`${location} is ${JSON.stringify(createdRecords)}`);
      await this.#ask('DELETE', location!);
    } catch (error) {
      this.failures.push(`afterwards: ${(error as Error).message}`);
    }
    this.#leave();
  }

  #leave(): void {
    this.#kept?.close();
    this.#kept = undefined;
  }

  /** Ends a stage and returns what was measured since the previous one; undefined before the client works. */
  closeStage(stage: string): HonestStage | undefined {
    if (!this.#working) return undefined;
    const took = this.#tookMs.sort((a, b) => a - b);
    this.#tookMs = [];
    const closed = {
      stage,
      answered: took.length,
      medianMs: took[Math.floor(took.length / 2)] ?? 0,
      worstMs: took.at(-1) ?? 0,
    };
    this.stages.push(closed);
    return closed;
  }

  async #work(): Promise<void> {
    for (let turn = 0; !this.#isStopped; turn++) {
      const before = performance.now();
      try {
        await this.#turn(turn);
      } catch (error) {
        this.failures.push(`after ${Math.round(performance.now() - before)} ms: ${(error as Error).message}`);
      }
      this.#tookMs.push(performance.now() - before);
      await sleep(pauseMs);
    }
  }

  async #turn(turn: number): Promise<void> {
    // Every other time on a new connection, which a flood of connections would prevent.
    if (turn % 2 === 0) this.#leave();
    const record = `/api/v2/device/container/${this.#id}`;
    if (turn % 5 === 0) {
      await this.#ask('POST', '/api/v2/device/container', { id: this.#id, notes: `turn ${++this.#notes}` });
    } else if (turn % 5 < 3) {
      const { results } = await this.#ask('GET', record);
      if (results?.[0]?.notes !== (this.#notes === 0 ? null : `turn ${this.#notes}`))
        throw new Error(`${record} has ${results?.[0]?.notes}, not turn ${this.#notes}`);
    } else {
      const { filtered } = await this.#ask('GET', '/api/v2/device/container?filter=name==honest');
      if (filtered !== 1) throw new Error(`the list has ${filtered} records of its name`);
    }
  }

  async #ask(method: string, path: string, body?: unknown): Promise<ResponseBody> {
    const text = body === undefined ? '' : JSON.stringify(body);
    this.#kept = this.#kept?.isOpen ? this.#kept : await Wire.open(this.#target.port);
    this.#kept.send(
      `${method} ${path} HTTP/1.1\r\nHost: trial\r\n${this.#target.authorization}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    );
    const answer = await this.#kept.next(answerMsMax);
    if (typeof answer === 'string') throw new Error(`${method} ${path}: ${answer}`);
    const fault = answer.code >= 300 ? `${answer.code} ${answer.body}` : faultOf(answer, path);
    if (fault) throw new Error(`${method} ${path}: ${fault}`);
    this.#target.accepted.add(answer.headers.get('x-request-id')!);
    return { ...JSON.parse(answer.body.toString()), location: answer.headers.get('location') };
  }
}

interface ResponseBody {
  location?: string;
  results?: { name?: string; notes?: string | null }[];
  filtered?: number;
  total?: number;
}
