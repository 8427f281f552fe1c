const shownMax = 20;

/** A process with a log. */
interface Logging {
  name: string;
  log(): string;
}

/** Prints the log of nodes after their first line. */
export function reportLogs(nodes: readonly Logging[]): void {
  for (const node of nodes) {
    const lines = node.log().trim().split('\n').slice(1);
    if (lines.length > 0)
      console.log(`node ${node.name} logged ${lines.length} lines, such as ${lines[0]!.slice(0, 300)}`);
  }
}

/** Prints the last line of a trial, and sets its exit code. */
export function reportVerdict(faults: readonly string[]): void {
  for (const fault of faults.slice(0, shownMax)) console.log(`  ${fault}`);
  console.log(faults.length === 0 ? 'all right' : `NOT right: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
