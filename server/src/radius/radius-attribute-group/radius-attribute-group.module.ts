import { resource } from '../../context.ts';
import { radiusAttributeGroupActions } from './radius-attribute-group.actions.ts';
import { radiusAttributeGroupRules } from './radius-attribute-group.rules.ts';
import { radiusAttributeGroup } from './radius-attribute-group.ts';

export const radiusAttributeGroupModule = resource('Attribute group configuration', radiusAttributeGroup, {
  actions: radiusAttributeGroupActions,
  rules: radiusAttributeGroupRules,
});
