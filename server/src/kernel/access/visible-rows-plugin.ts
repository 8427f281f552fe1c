import {
  AliasNode,
  FromNode,
  IdentifierNode,
  type JoinNode,
  type KyselyPlugin,
  type OperationNode,
  OperationNodeTransformer,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  RawNode,
  type RootOperationNode,
  TableNode,
} from 'kysely';
import { Literals } from '../database/literals.ts';
import type { Declaration } from '../declare/declaration.ts';
import { quoted } from '../declare/names.ts';
import type { Visibility } from './visibility.ts';

/** Replaces each table of a query by its visible rows, if the caller sees only some of its rows. */
class VisibleRows extends OperationNodeTransformer {
  readonly #visibility: Visibility;
  readonly #declarations: ReadonlyMap<string, Declaration>;

  constructor(visibility: Visibility, declarations: ReadonlyMap<string, Declaration>) {
    super();
    this.#visibility = visibility;
    this.#declarations = declarations;
  }

  protected override transformFrom(node: FromNode): FromNode {
    return FromNode.create(super.transformFrom(node).froms.map((fromItem) => this.#limited(fromItem)));
  }

  protected override transformJoin(node: JoinNode): JoinNode {
    const joined = super.transformJoin(node);
    return { ...joined, table: this.#limited(joined.table) };
  }

  #limited(node: OperationNode): OperationNode {
    const isAliased = AliasNode.is(node);
    const table = isAliased ? node.node : node;
    if (!TableNode.is(table)) return node;
    const { name } = table.table.identifier;
    const declaration = this.#declarations.get(name);
    const visibleCondition = declaration && this.#visibility.condition(declaration, new Literals());
    if (!visibleCondition) return node;
    const rows = RawNode.createWithSql(`(select r.* from ${quoted(name)} r where ${visibleCondition})`);
    return AliasNode.create(rows, isAliased ? node.alias : IdentifierNode.create(name));
  }
}

export class VisibleRowsPlugin implements KyselyPlugin {
  readonly #transformer: VisibleRows;

  constructor(visibility: Visibility, declarations: ReadonlyMap<string, Declaration>) {
    this.#transformer = new VisibleRows(visibility, declarations);
  }

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node);
  }

  async transformResult(args: PluginTransformResultArgs) {
    return args.result;
  }
}
