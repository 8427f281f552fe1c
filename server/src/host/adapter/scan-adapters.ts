import { type Context, everyRow, type JobRun } from '../../context.ts';
import type { Intensity } from '../../protocols/nmap/nmap.ts';
import { portsInWords, type ScanFindings } from '../../protocols/nmap/read-scan.ts';
import { networkScanCompleted } from './adapter.events.ts';
import { adapter } from './adapter.ts';
import { isRecentSql } from './location-sql.ts';

const everyAdapter = everyRow(adapter, 'the request has checked that its caller sees the adapters');

export interface ScanRequest {
  id: number[];
  intensity: Intensity;
  osDetection: boolean;
}

interface Target {
  id: number;
  mac: string;
  hostID: number;
  /** Its current address; null: it has none. */
  ip: string | null;
}

interface Outcome {
  item: string;
  outcome: string;
  detail: string;
}

const scansAtOnce = 4;

const openPortsMax = 20_000;

/** The scanned addresses are read when the task runs; a request cannot contain an address. */
const targetsSql = `select a.id, a.physical_address as mac, a.host_id as "hostID",
    host((select m.ip from ip_mac m where m.mac = a.physical_address and ${isRecentSql('m')} order by family(m.ip), m.last_seen desc limit 1)) as ip
  from ${everyAdapter} a where a.id = any($1::bigint[]) order by a.id`;

/** Throws if the outbound guard refuses an address. The scanner checks each address again before its scan, because addresses can change. */
export async function requireScannable(context: Context, ids: readonly number[]): Promise<void> {
  for (const { ip } of await context.query<Target>(targetsSql, [ids]))
    if (ip !== null) context.protocols.probes.refuse(ip);
}

/** Scans adapters at their current addresses, a few at a time. A failure is reported for its adapter, and the scans of the others continue. */
export async function scanAdapters(
  desired: ScanRequest,
  { context, signal, progress, report }: JobRun<Context>,
): Promise<void> {
  const targets = await context.query<Target>(targetsSql, [desired.id]);
  const waiting = targets.values();
  const outcomes: Outcome[] = [];
  const work = async () => {
    for (const target of waiting) {
      signal.throwIfAborted();
      outcomes.push(await scanOne(context, target, desired, signal));
      progress(outcomes.length, targets.length, target.mac);
      report(outcomes);
    }
  };
  await Promise.all(Array.from({ length: scansAtOnce }, work));
}

async function scanOne(context: Context, target: Target, desired: ScanRequest, signal: AbortSignal): Promise<Outcome> {
  const { mac, ip } = target;
  if (ip === null) return { item: mac, outcome: 'SKIPPED', detail: 'It has no current IP address.' };
  try {
    const findings = await context.protocols.scanner.scan(ip, desired, signal);
    await storeFindings(context, { ...target, ip }, findings);
    return {
      item: mac,
      outcome: findings.isUp ? 'SCANNED' : 'SILENT',
      detail: `${ip}: ${summaryOf(findings)}`.slice(0, 2_000),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { item: mac, outcome: 'FAILED', detail: (error as Error).message.slice(0, 2_000) };
  }
}

const summaryOf = ({ isUp, ports, operatingSystem }: ScanFindings): string =>
  !isUp
    ? 'no answer'
    : [portsInWords(ports) || 'no open ports', operatingSystem && `probably ${operatingSystem}`]
        .filter(Boolean)
        .join('; ');

/** Stores the findings and emits an event. If the host did not respond, the open ports of the last scan stay stored. */
async function storeFindings(
  context: Context,
  { id, mac, hostID, ip }: Target & { ip: string },
  findings: ScanFindings,
): Promise<void> {
  await context.write(async (tx) => {
    if (findings.isUp)
      await tx.records.observe(adapter, id, { openPorts: portsInWords(findings.ports).slice(0, openPortsMax) || null });
    await tx.emit({
      type: networkScanCompleted,
      element: { id, name: mac },
      hostID,
      mac,
      ip,
      attributes: { address: ip, found: summaryOf(findings).slice(0, 1_000) },
    });
  });
}
