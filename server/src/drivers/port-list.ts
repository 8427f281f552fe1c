/** PortList of RFC 4363: one bit per bridge port; port 1 is the most significant bit of the first byte. */
export type PortList = Uint8Array;

const bitOf = (bridgePort: number): { at: number; mask: number } => {
  if (!Number.isInteger(bridgePort) || bridgePort < 1) throw new Error(`${bridgePort} is no bridge port`);
  return { at: (bridgePort - 1) >> 3, mask: 0x80 >> ((bridgePort - 1) & 7) };
};

export function hasPort(list: PortList, bridgePort: number): boolean {
  const { at, mask } = bitOf(bridgePort);
  return ((list[at] ?? 0) & mask) !== 0;
}

export function portsIn(list: PortList): number[] {
  return Array.from({ length: list.length * 8 }, (_, index) => index + 1).filter((port) => hasPort(list, port));
}

/** Devices omit trailing zeros, but refuse a list shorter than expected: a list is never shortened. */
export function withPorts(list: PortList, bridgePorts: readonly number[], lengthMin = 0): PortList {
  const length = Math.max(list.length, lengthMin, ...bridgePorts.map((port) => bitOf(port).at + 1));
  const changed = new Uint8Array(length);
  changed.set(list);
  for (const { at, mask } of bridgePorts.map(bitOf)) changed[at]! |= mask;
  return changed;
}

export function withoutPorts(list: PortList, bridgePorts: readonly number[]): PortList {
  const changed = Uint8Array.from(list);
  for (const { at, mask } of bridgePorts.map(bitOf)) if (at < changed.length) changed[at]! &= ~mask;
  return changed;
}

/** Trailing zeros do not count. */
export function isSamePorts(leftList: PortList, rightList: PortList): boolean {
  const length = Math.max(leftList.length, rightList.length);
  for (let index = 0; index < length; index += 1) if ((leftList[index] ?? 0) !== (rightList[index] ?? 0)) return false;
  return true;
}
