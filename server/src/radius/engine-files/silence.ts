import { block, type Line } from './blocks.ts';

/** Sends no reply, so that the access device uses its next server or its fallback. A failure of this service must not cause a reject. */
export const silence = (list: 'control' | 'outer.control'): Line[] => [
  block(`update ${list}`, ['&Response-Packet-Type := Do-Not-Respond']),
  list === 'control' ? 'handled' : 'reject',
];
