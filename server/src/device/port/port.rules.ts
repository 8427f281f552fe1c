import { rules } from '../../context.ts';
import { port } from './port.ts';

export const portRules = rules(port, {
  /** The change of a port is its newest event; stored with the change, so that a monitor reports one. */
  beforeSave: ({ after }, { tx }) => {
    after.yamsEventTag = tx.engine.model.byName(port.name).changes!.modified.name;
  },
});
