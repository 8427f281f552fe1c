import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Decision } from '../../src/policy/decide/decide.service.ts';
import * as engineOfTree from '../../src/policy/decide/decide.service.ts';
import { faults } from '../decide/faults.ts';
import { Random } from '../decide/random.ts';
import { randomWorld } from '../decide/random-world.ts';
import { type ComparableDecision, slowDecision } from '../decide/slow-engine.ts';
import { contextOf, fillTopology } from '../decide/world.ts';
import { type Fault, putFault } from './put-fault.ts';

type Engine = typeof engineOfTree;

export interface DecideTrialOptions {
  worlds: number;
  seed: number;
  /** Decisions in each scenario. */
  connections?: number;
}

export interface DecideTrialReport {
  worlds: number;
  decisions: number;
  /** How often each step decided: the trial proves nothing about a step that never did. */
  steps: Map<number, number>;
  differences: string[];
}

/** Differences that are reported, at most. */
const differencesMax = 20;
const connectionsInWorld = 10;

const comparable = (decision: Decision): Omit<ComparableDecision, 'trace'> => ({
  isByRadius: decision.isByRadius,
  outcome: decision.outcome,
  accessState: decision.accessState,
  step: decision.step,
  policyID: decision.policyID,
  policyName: decision.policyName,
  configurationID: decision.configurationID,
  logicalNetwork: decision.logicalNetwork?.name ?? null,
  value: decision.value && {
    accessType: decision.value.accessType,
    accessValue: decision.value.accessValue,
    source: decision.value.source,
    element: decision.value.element?.name ?? null,
  },
  isUnresolved: decision.isUnresolved,
  firewallTagIDs: [...decision.firewallTagIDs],
  sessionTimeoutSeconds: decision.sessionTimeoutSeconds,
  userName: decision.userName,
  families: decision.families,
});

/** Describes the first field in which two results differ. */
function firstDifference(ours: object, expected: object): string {
  const fields = Object.entries(expected) as [string, unknown][];
  const [name, value] = fields.find(
    ([field, expectedValue]) => !isDeepStrictEqual(expectedValue, ours[field as keyof typeof ours]),
  )!;
  const [mine, theirs] = [ours[name as keyof typeof ours] as unknown, value];
  if (Array.isArray(mine) && Array.isArray(theirs)) {
    const index = theirs.findIndex((entry, index) => !isDeepStrictEqual(entry, mine[index]));
    return `${name}[${index}] is ${JSON.stringify(mine[index])}, must be ${JSON.stringify(theirs[index])}`;
  }
  return `${name} is ${JSON.stringify(mine)}, must be ${JSON.stringify(theirs)}`;
}

/** Compares the decisions of the engine, its explanation and the slow engine in random scenarios. */
export function compareEngines(
  options: DecideTrialOptions,
  engine: Engine = engineOfTree,
  max = differencesMax,
): DecideTrialReport {
  const report: DecideTrialReport = { worlds: 0, decisions: 0, steps: new Map(), differences: [] };
  for (let number = 0; number < options.worlds && report.differences.length < max; number++) {
    const world = randomWorld(new Random(options.seed * 1_000_003 + number), options.connections ?? connectionsInWorld);
    const topology = new engine.Topology();
    fillTopology(topology, world);
    const set = engine.compilePolicySet(world.set);
    report.worlds++;
    for (const [index, raw] of world.connections.entries()) {
      const { trace, ...expected } = slowDecision(world, raw);
      const context = contextOf(world, raw, topology, engine);
      const differ = (how: string, ours: object, theirs: object) => {
        if (!isDeepStrictEqual(ours, theirs))
          report.differences.push(`world ${number}, connection ${index}, ${how}: ${firstDifference(ours, theirs)}`);
      };
      differ('decided', comparable(engine.decideAccess(set, context)), expected);
      const explained = engine.explainAccess(set, context);
      differ(
        'explained',
        { ...comparable(explained), trace: engine.writeTrace(explained.trace, ({ name }) => name) },
        { ...expected, trace },
      );
      report.decisions++;
      report.steps.set(expected.step, (report.steps.get(expected.step) ?? 0) + 1);
    }
  }
  return report;
}

const engineFolder = fileURLToPath(new URL('../../src/policy/decide', import.meta.url));

export interface FaultReport {
  name: string;
  /** The first difference, or null if the trial did not detect the fault. */
  found: string | null;
  decisions: number;
}

/** Puts one fault at a time into a copy of the engine, and reports after how many decisions the trial detects it. */
export async function* tryFaults(
  options: DecideTrialOptions,
  chosen: readonly Fault[] = faults,
): AsyncGenerator<FaultReport> {
  const folder = await mkdtemp(join(tmpdir(), 'portreeve-decide-'));
  try {
    for (const [index, fault] of chosen.entries()) {
      const copy = join(folder, String(index));
      await cp(engineFolder, copy, { recursive: true });
      await putFault(copy, fault);
      const engine = (await import(pathToFileURL(join(copy, 'decide.service.ts')).href)) as Engine;
      yield { name: fault.name, ...tryFault(options, engine) };
    }
  } finally {
    await rm(folder, { recursive: true });
  }
}

function tryFault(options: DecideTrialOptions, engine: Engine): Omit<FaultReport, 'name'> {
  try {
    const { differences, decisions } = compareEngines(options, engine, 1);
    return { found: differences[0] ?? null, decisions };
  } catch (error) {
    return { found: `it throws: ${String(error)}`, decisions: 1 };
  }
}
