import { job } from '../../context.ts';
import { closeLostSessions } from './lost-sessions.ts';

export const lostSessions = job('lost-sessions', {
  doc: 'Close sessions whose access device stopped sending interim updates',
  at: '* * * * *',
  secondsMax: 55,
  repeatable: true,
  async run(_payload, { context, signal }) {
    await closeLostSessions(context, signal);
  },
});
