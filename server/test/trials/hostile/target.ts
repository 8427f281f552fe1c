/** Whom the trial asks, as whom, and what was done for it. */
export interface Target {
  port: number;
  /** The header line. */
  authorization: string;
  /** X-Request-Id of everything that was answered as done. */
  accepted: Set<string>;
}

/** An answer is late after this, on any machine. */
export const answerMsMax = 60_000;

/** Does numbered pieces of work, several at a time. */
export async function inTurns(count: number, workers: number, work: (number: number) => Promise<void>): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** What a message shows of something long. */
export const excerpt = (text: string): string => JSON.stringify(text.length > 400 ? `${text.slice(0, 400)}…` : text);
