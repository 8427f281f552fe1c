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
import type { Declaration } from '../declare.ts';
import { Literals } from '../filter/literals.ts';
import { quoted } from '../names.ts';
import type { Sight } from '../scope.ts';

/** Wherever an action names a table of which the caller sees only some rows, these rows stand instead. */
class SeenRows extends OperationNodeTransformer {
  readonly #sight: Sight;
  readonly #declarations: ReadonlyMap<string, Declaration>;

  constructor(sight: Sight, declarations: ReadonlyMap<string, Declaration>) {
    super();
    this.#sight = sight;
    this.#declarations = declarations;
  }

  protected override transformFrom(node: FromNode): FromNode {
    return FromNode.create(super.transformFrom(node).froms.map((from) => this.#limited(from)));
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
    const seen = declaration && this.#sight.condition(declaration, new Literals());
    if (!seen) return node;
    const rows = RawNode.createWithSql(`(select r.* from ${quoted(name)} r where ${seen})`);
    return AliasNode.create(rows, isAliased ? node.alias : IdentifierNode.create(name));
  }
}

export class SeenRowsPlugin implements KyselyPlugin {
  readonly #transformer: SeenRows;

  constructor(sight: Sight, declarations: ReadonlyMap<string, Declaration>) {
    this.#transformer = new SeenRows(sight, declarations);
  }

  transformQuery(args: PluginTransformQueryArgs): RootOperationNode {
    return this.#transformer.transformNode(args.node);
  }

  async transformResult(args: PluginTransformResultArgs) {
    return args.result;
  }
}
