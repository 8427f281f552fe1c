import type { SwitchControl } from '../snmp-switches.ts';
import { SwitchAgent } from './agent.ts';
import { type SwitchSpec, SwitchState } from './state.ts';
import { linkTrap, macTrap, notify, trapNames } from './traps.ts';

/** The process of the simulated switches; its parent controls it with messages, and it ends with its parent. */
const agents = new Map<string, SwitchAgent>();

function agentAt(address: string): SwitchAgent {
  const agent = agents.get(address);
  if (!agent) throw new Error(`there is no switch at ${address}`);
  return agent;
}

async function setLink(address: string, number: number, hasLink: boolean): Promise<boolean> {
  const agent = agentAt(address);
  const port = agent.state.byNumber(number);
  const wasUp = agent.state.operUp(port);
  port.hasLink = hasLink;
  agent.state.changed();
  const isUp = agent.state.operUp(port);
  return isUp === wasUp ? false : linkTrap(agent, port, isUp);
}

async function plug(address: string, number: number, mac: string, vlan?: number): Promise<boolean> {
  const agent = agentAt(address);
  const port = agent.state.byNumber(number);
  if (!port.hosts.some((host) => host.mac === mac)) port.hosts.push(vlan === undefined ? { mac } : { mac, vlan });
  await setLink(address, number, true);
  agent.state.changed();
  return macTrap(agent, port, [mac], true);
}

/** Removes a host from a port; the link goes down with the last one. */
async function unplug(address: string, number: number, mac: string): Promise<boolean> {
  const agent = agentAt(address);
  const port = agent.state.byNumber(number);
  port.hosts = port.hosts.filter((host) => host.mac !== mac);
  agent.state.changed();
  const isAcknowledged = await macTrap(agent, port, [mac], false);
  return port.hosts.length === 0 ? setLink(address, number, false) : isAcknowledged;
}

const control: SwitchControl = {
  async open(specs: readonly SwitchSpec[], udpPort: number) {
    for (const spec of specs) {
      const agent = new SwitchAgent(new SwitchState(spec), udpPort);
      agent.onLink = (portName, isUp) => void linkTrap(agent, agent.state.byName(portName), isUp);
      agents.set(spec.address, agent);
    }
    const openings = await Promise.allSettled([...agents.values()].map((agent) => agent.open()));
    const failed = openings.find(({ status }) => status === 'rejected');
    if (!failed) return;
    // They share a port number: another one must be tried for all of them.
    for (const agent of agents.values()) agent.close();
    agents.clear();
    throw (failed as PromiseRejectedResult).reason;
  },
  setLink,
  plug,
  unplug,
  async move(mac, source, target) {
    await unplug(source.address, source.port, mac);
    return plug(target.address, target.port, mac);
  },
  hostMac: (address, number) => agentAt(address).state.hostMac(number),
  portOf(address, number) {
    const { state } = agentAt(address);
    const port = state.byNumber(number);
    return {
      name: port.name,
      ifIndex: state.ifIndex(port),
      bridgePort: port.bridgePort,
      pvid: port.pvid,
      adminUp: port.adminUp,
      operUp: state.operUp(port),
    };
  },
  async reboot(address, renumber) {
    const agent = agentAt(address);
    agent.state.reboot(renumber);
    return notify(agent, trapNames.coldStart, []);
  },
  setUptime(address, ticks) {
    agentAt(address).state.uptimeTicks = ticks;
  },
  setArp(address, ip, mac, vlan) {
    const { state } = agentAt(address);
    if (mac === null) state.arp.delete(ip);
    else state.arp.set(ip, { mac, vlan });
    state.changed();
  },
  setNeighbours(address, neighbours) {
    const { state } = agentAt(address);
    state.neighbours = [...neighbours];
    state.changed();
  },
  failWrites(address, fault) {
    agentAt(address).state.writeFault = fault;
  },
  behave(address, mood) {
    const { state } = agentAt(address);
    state.mood = mood;
    state.changed();
  },
  disturb(address, { delayMs = 0, loseEvery = 0 }) {
    Object.assign(agentAt(address).state, { delayMs, loseEvery });
  },
  pause(address) {
    agentAt(address).state.isPaused = true;
  },
  resume(address) {
    agentAt(address).state.isPaused = false;
  },
  sendTrapsTo(address, ...targets) {
    agentAt(address).state.trapTargets = targets;
  },
  takeSets: (address) => agentAt(address).state.sets.splice(0),
  stats() {
    const { user, system } = process.cpuUsage();
    return {
      switches: agents.size,
      requests: [...agents.values()].reduce((sum, { state }) => sum + state.requests, 0),
      rssBytes: process.memoryUsage().rss,
      cpuMs: Math.round((user + system) / 1_000),
    };
  },
};

interface Call {
  id: number;
  method: keyof SwitchControl;
  args: never[];
}

process.on('message', async ({ id, method, args }: Call) => {
  try {
    process.send?.({ id, result: await (control[method] as (...values: never[]) => unknown)(...args) });
  } catch (error) {
    process.send?.({ id, error: error instanceof Error ? error.message : String(error) });
  }
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0 });
