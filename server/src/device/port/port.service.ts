export {
  portsInWrongState,
  refreshConnectionStates,
  refreshStatesOfHosts,
  refreshStatesOfMacs,
} from './connection-states.ts';
export { emitOfPorts } from './emit-of-ports.ts';
export { observePorts, type SeenPort } from './observe-ports.ts';
