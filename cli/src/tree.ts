/** A tree node that can have several parents. */
export interface TreeNode {
  id: number;
  parents: readonly number[];
  /** Text of its line. */
  text: string;
}

/** Draws a tree, one line per node. A node with several parents is expanded below the first and only named below the others. */
export function* drawTree(nodes: readonly TreeNode[]): Generator<string> {
  const ids = new Set(nodes.map(({ id }) => id));
  const below = new Map<number, TreeNode[]>();
  const roots: TreeNode[] = [];
  for (const node of nodes) {
    const parents = node.parents.filter((parent) => ids.has(parent));
    if (parents.length === 0) roots.push(node);
    for (const parent of parents) below.set(parent, [...(below.get(parent) ?? []), node]);
  }
  const drawn = new Set<number>();
  function* draw(siblings: readonly TreeNode[], indent: string): Generator<string> {
    for (const [index, { id, text }] of siblings.entries()) {
      const isLast = index === siblings.length - 1;
      const children = below.get(id) ?? [];
      const isAgain = drawn.has(id);
      drawn.add(id);
      yield `${indent}${isLast ? '└─ ' : '├─ '}${text}${isAgain && children.length > 0 ? ' (shown above)' : ''}`;
      if (!isAgain) yield* draw(children, `${indent}${isLast ? '   ' : '│  '}`);
    }
  }
  yield* draw(roots, '');
}
