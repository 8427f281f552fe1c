/** The public interface for the health of RADIUS: what a node records and reports. */

export { forgetEngineState, reportEngineState, reportSilentNodes } from './engine-state.ts';
export { measureReplies } from './measure-replies.ts';
export { HealthRecorder } from './record-health.ts';
