import { action, type Context, job } from '../../context.ts';
import { notFound } from '../../kernel/failure.ts';
import { distinctIds } from '../../kernel/runtime.ts';
import { integerMax } from '../../kernel/shape.ts';
import { type Intensity, intensities } from '../../parts/nmap/nmap.ts';
import { portsInWords, type ScanFindings } from '../../parts/nmap/read-scan.ts';
import { backgroundTask } from '../../system/background-task/background-task.ts';
import { networkScanCompleted } from '../host-event-types.ts';
import { adapter } from './adapter.ts';
import { fresh } from './where.ts';

interface Wish {
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

/** What is scanned comes from the inventory alone, as it is now. */
const targetsSql = `select a.id, a.physical_address as mac, a.host_id as "hostID",
    host((select m.ip from ip_mac m where m.mac = a.physical_address and ${fresh('m')} order by family(m.ip), m.last_seen desc limit 1)) as ip
  from adapter a where a.id = any($1::bigint[]) order by a.id`;

/** Scans adapters at their current addresses, a few at a time; what fails for one is told of it, and the others go on. */
export const networkScan = job('network-scan', {
  doc: 'Scan the ports of adapters',
  secondsMax: 21_600,
  repeatable: false,
  async run(payload, { context, signal, progress, report }) {
    const wish = payload as Wish;
    const targets = await context.query<Target>(targetsSql, [wish.id]);
    const waiting = targets.values();
    const outcomes: Outcome[] = [];
    const work = async () => {
      for (const target of waiting) {
        signal.throwIfAborted();
        outcomes.push(await scanOne(context, target, wish, signal));
        progress(outcomes.length, targets.length, target.mac);
        report(outcomes);
      }
    };
    await Promise.all(Array.from({ length: scansAtOnce }, work));
  },
});

async function scanOne(context: Context, target: Target, wish: Wish, signal: AbortSignal): Promise<Outcome> {
  const { mac, ip } = target;
  if (ip === null) return { item: mac, outcome: 'SKIPPED', detail: 'It has no current address.' };
  try {
    const found = await context.parts.scanner.scan(ip, wish, signal);
    await keepFindings(context, { ...target, ip }, found);
    return {
      item: mac,
      outcome: found.isUp ? 'SCANNED' : 'SILENT',
      detail: `${ip}: ${wordsOf(found)}`.slice(0, 2_000),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    return { item: mac, outcome: 'FAILED', detail: (error as Error).message.slice(0, 2_000) };
  }
}

const wordsOf = ({ isUp, ports, operatingSystem }: ScanFindings): string =>
  !isUp
    ? 'no answer'
    : [portsInWords(ports) || 'no open ports', operatingSystem && `probably ${operatingSystem}`]
        .filter(Boolean)
        .join('; ');

/** Who was silent keeps what was found before. */
async function keepFindings(
  context: Context,
  { id, mac, hostID, ip }: Target & { ip: string },
  found: ScanFindings,
): Promise<void> {
  await context.write(async (tx) => {
    if (found.isUp)
      await tx.records.observe(adapter, id, { openPorts: portsInWords(found.ports).slice(0, openPortsMax) || null });
    await tx.emit({
      type: networkScanCompleted,
      element: { id, name: mac },
      hostID,
      mac,
      ip,
      attributes: { address: ip, found: wordsOf(found).slice(0, 1_000) },
    });
  });
}

export const runNetworkScan = action(adapter, {
  name: 'run-network-scan',
  method: 'POST',
  path: '/run-network-scan',
  doc: 'Scan the ports of adapters at their current addresses',
  body: {
    kind: 'object',
    name: 'NetworkScanWish',
    required: ['id'],
    properties: {
      id: {
        kind: 'list',
        item: { kind: 'integer', min: 1, max: integerMax },
        min: 1,
        max: 5_000,
        doc: 'The adapters.',
      },
      intensity: {
        kind: 'choice',
        values: intensities,
        doc: 'LIGHT: 100 usual TCP ports; STANDARD, unless said otherwise: 1,000 with the versions of services; FULL: all, and usual UDP ports.',
      },
      osDetection: { kind: 'flag', doc: 'Guess the operating system; true unless said otherwise.' },
    },
  },
  success: 202,
  example: { id: [1], intensity: 'LIGHT' },
  errors: ['not-found'],
  async run({ body }, context) {
    const { id, intensity = 'STANDARD', osDetection = true } = body as Partial<Wish> & { id: number[] };
    const wanted = distinctIds(id);
    const seen = await context.query<{ id: number }>(
      `select r.id from adapter r where r.id = any($1::bigint[])${context.andSeen(adapter)}`,
      [wanted],
    );
    const known = new Set(seen.map((each) => each.id));
    const unknown = wanted.find((each) => !known.has(each));
    if (unknown !== undefined) throw notFound(adapter.title, unknown);
    const message = `Scan ${wanted.length === 1 ? 'an adapter' : `${wanted.length} adapters`}`;
    const task = await context.startTask(networkScan, { id: wanted, intensity, osDetection }, message);
    return { httpCode: 202, location: `/api/v2${backgroundTask.path}/${task}` };
  },
});
