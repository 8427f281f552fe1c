import { readdirSync, readFileSync } from 'node:fs';

/** Ticks of the kernel's clock per second, on every Linux that Node runs on. */
const ticksPerSecond = 100;

interface Stat {
  parent: number;
  /** Own time, and the time of its reaped children. */
  ownMs: number;
  reapedMs: number;
}

function statOf(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name is in parentheses and may contain any character.
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const ms = (ticks: number) => (ticks * 1_000) / ticksPerSecond;
    return { parent: fields[1]!, ownMs: ms(fields[11]! + fields[12]!), reapedMs: ms(fields[13]! + fields[14]!) };
  } catch {
    return undefined;
  }
}

/** Returns the CPU time of a process and everything it started, including ended children. */
export function cpuMsOf(pid: number): number {
  const all = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? statOf(Number(name)) : undefined;
    return stat ? [{ pid: Number(name), ...stat }] : [];
  });
  const sum = (id: number): number => {
    const stat = all.find((candidate) => candidate.pid === id);
    if (!stat) return 0;
    return (
      stat.ownMs +
      stat.reapedMs +
      all.filter(({ parent }) => parent === id).reduce((ms, child) => ms + sum(child.pid), 0)
    );
  };
  return sum(pid);
}
