import { rules } from '../../context.ts';
import { port } from './port.ts';

export const portRules = rules(port, {
  /** Stores the name of the port's newest event with the change, so that a monitor sends one message. */
  beforeSave: ({ after }, { tx }) => {
    after.yamsEventTag = tx.engine.model.byName(port.name).changes!.modified.name;
  },
});
