/** The node that the trial sends to, the trial's credential, and the requests that succeeded. */
export interface Target {
  port: number;
  /** The header line. */
  authorization: string;
  /** X-Request-Id of every successful request. */
  accepted: Set<string>;
}

/** A response is late after this time, on any machine. */
export const answerMsMax = 60_000;

/** Does numbered pieces of work, several at a time. */
export async function inTurns(count: number, workers: number, work: (number: number) => Promise<void>): Promise<void> {
  let nextNumber = 0;
  const worker = async () => {
    while (nextNumber < count) await work(nextNumber++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** Shortens a text for a message. */
export const excerpt = (text: string): string => JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}…` : text);
