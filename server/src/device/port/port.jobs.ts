import { job } from '../../context.ts';
import type { AuditSource } from '../../kernel/declare/caller.ts';
import { changePorts, type PortOutcome } from './change-ports.ts';
import { type DesiredPortState, nameOfPort, type TargetPort } from './desired-port-state.ts';
import { targetPorts } from './target-ports.ts';

interface Payload {
  id: number[];
  desired: DesiredPortState;
  /** The administrator and request that started it. */
  source: AuditSource;
}

const devicesAtOnce = 8;
const deviceMsMax = 60_000;

/** Changes many ports, device by device, and reports the outcome of each. */
export const portJob = job('port-properties', {
  doc: 'Change ports on their devices',
  secondsMax: 900,
  // A repetition would store outcomes a second time.
  repeatable: false,
  async run(payload, { context, signal, progress, report }) {
    const { id, desired, source } = payload as Payload;
    const ports = await targetPorts(context, id);
    const waiting = [...Map.groupBy(ports, ({ deviceID }) => deviceID).values()];
    const outcomes: PortOutcome[] = [];
    let done = 0;
    const worker = async () => {
      for (let nextPorts = waiting.shift(); nextPorts && !signal.aborted; nextPorts = waiting.shift()) {
        outcomes.push(...(await changePorts(context, nextPorts, desired, { source, msMax: deviceMsMax })));
        done += nextPorts.length;
        progress(done, ports.length, nextPorts[0]!.deviceName);
      }
    };
    progress(0, ports.length);
    await Promise.all(Array.from({ length: devicesAtOnce }, worker));
    report(ports.map((targetPort) => reportOf(targetPort, outcomes)));
    signal.throwIfAborted();
  },
});

function reportOf(port: TargetPort, outcomes: readonly PortOutcome[]) {
  const portOutcomes = outcomes.filter((outcome) => outcome.port.id === port.id);
  const wrong = portOutcomes.find(({ error }) => error !== null);
  const outcome = wrong ? 'FAILED' : portOutcomes.length > 0 ? 'CHANGED' : 'UNCHANGED';
  return { item: nameOfPort(port), outcome, detail: wrong?.error ?? '' };
}
