import { expect, test } from 'vitest';
import { drawTree, type TreeNode } from './tree.ts';

const node = (id: number, text: string, ...parents: number[]): TreeNode => ({ id, text, parents });

test('a tree is drawn with its branches', () => {
  const nodes = [
    node(1, 'campus'),
    node(2, 'north', 1),
    node(3, 'first floor', 2),
    node(4, 'south', 1),
    node(5, 'lab'),
  ];
  expect([...drawTree(nodes)]).toEqual(['├─ campus', '│  ├─ north', '│  │  └─ first floor', '│  └─ south', '└─ lab']);
});

test('a node with two parents is expanded once and named below the second', () => {
  const nodes = [node(1, 'a'), node(2, 'b'), node(3, 'shared', 1, 2), node(4, 'leaf', 3, 2)];
  expect([...drawTree(nodes)]).toEqual([
    '├─ a',
    '│  └─ shared',
    '│     └─ leaf',
    '└─ b',
    '   ├─ shared (shown above)',
    '   └─ leaf',
  ]);
});

test('a parent that is not among the nodes is no parent', () => {
  expect([...drawTree([node(2, 'part', 1), node(3, 'of it', 2)])]).toEqual(['└─ part', '   └─ of it']);
});
