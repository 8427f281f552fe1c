import {
  AliasNode,
  ColumnNode,
  IdentifierNode,
  type KyselyPlugin,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  ReferenceNode,
  type RootOperationNode,
  SelectionNode,
} from 'kysely';
import { snakeCase } from '../declare/names.ts';

/**
 * Lets actions use the names of fields: columns are written in snake_case, and each selected column gets the field name
 * as an alias. A rule that converts the names of results back would break names such as `deviceID`.
 */
class FieldNames extends OperationNodeTransformer {
  protected override transformColumn(node: ColumnNode): ColumnNode {
    return ColumnNode.create(snakeCase(node.column.name));
  }

  protected override transformSelection(node: SelectionNode): SelectionNode {
    const name = selectedName(node.selection);
    const selection = super.transformSelection(node);
    if (name === undefined || name === snakeCase(name)) return selection;
    return SelectionNode.create(AliasNode.create(selection.selection, IdentifierNode.create(name)) as never);
  }
}

const selectedName = (node: SelectionNode['selection']): string | undefined => {
  const column = ReferenceNode.is(node) ? node.column : node;
  return ColumnNode.is(column as never) ? (column as ColumnNode).column.name : undefined;
};

export class FieldNamesPlugin implements KyselyPlugin {
  readonly #transformer = new FieldNames();

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node);
  }

  async transformResult(args: PluginTransformResultArgs) {
    return args.result;
  }
}
