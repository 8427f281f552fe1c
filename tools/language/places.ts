import { type ParserOptions, parseSync, rawTransferSupported } from 'oxc-parser';
import { isBareWord, isUnusual, type Kind } from './wording.ts';

/** A place with unusual wording. */
export interface Place {
  kind: Kind;
  file: string;
  line: number;
  text: string;
}

export interface FileCount {
  /** How many comment lines, names, test titles and texts the file has. */
  all: Record<Kind, number>;
  places: Place[];
}

/** A node of the syntax tree; its further properties depend on the type. */
interface Node {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

const isNodeList = (value: unknown): value is (Node | null)[] => Array.isArray(value) && value.some(isNode);

const testCalls = new Set(['test', 'it', 'describe', 'bench']);

/** Functions whose first text argument is shown to a user. */
const failureCalls = new Set(
  [
    'Error UsageError Failure fail refuse mistake',
    'invalid unauthenticated forbidden notFound rejected duplicate protectedRecord remoteFailed remoteTimeout throttled unavailable',
  ]
    .join(' ')
    .split(' '),
);

/** Properties and attributes whose text is shown to a user. */
const shownProperties = new Set('doc description format message help summary title label placeholder'.split(' '));

/** Reads the tree from the parser's memory instead of from JSON: half the processor time for the whole project. Its types leave this out. */
const options: ParserOptions & { experimentalRawTransfer: boolean } = {
  experimentalRawTransfer: rawTransferSupported(),
};

/** Counts one file of TypeScript. The path decides what it is: tests have titles, `texts/` has texts only. */
export function countFile(file: string, source: string): FileCount {
  const { program, comments, errors } = parseSync(file, source, options);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
  const counter = new FileCounter(file, source);
  for (const { value, start } of comments) counter.comment(value, start);
  counter.visit(program as unknown as Node);
  return { all: counter.all, places: counter.places };
}

class FileCounter {
  readonly all: Record<Kind, number> = { comments: 0, names: 0, tests: 0, texts: 0 };
  readonly places: Place[] = [];
  readonly #file: string;
  readonly #source: string;
  readonly #isTest: boolean;
  readonly #isTextFile: boolean;
  /** Texts that were counted with their parent. */
  readonly #counted = new Set<Node>();
  #lineStarts: number[] | undefined;

  constructor(file: string, source: string) {
    this.#file = file;
    this.#source = source;
    this.#isTest = /\.test\.tsx?$/.test(file);
    this.#isTextFile = /\/texts\/[^/]+\.ts$/.test(file);
  }

  comment(value: string, start: number): void {
    const firstLine = this.#lineOf(start);
    value.split('\n').forEach((line, index) => {
      const text = line.replace(/^[\s*/]+/, '');
      if (text !== '') this.#count('comments', isUnusual(text), firstLine + index, text);
    });
  }

  visit(node: Node): void {
    if (node.type.includes('Function') && node.params) this.#names(node.params);
    if (node.type === 'VariableDeclarator') this.#name(node.id);
    if (node.type === 'CallExpression' || node.type === 'NewExpression') this.#call(node);
    if (!this.#isTest) this.#shownText(node);
    for (const property in node) {
      const child = node[property];
      if (isNodeList(child)) {
        for (const item of child) if (isNode(item)) this.visit(item);
      } else if (isNode(child)) this.visit(child);
    }
  }

  #call({ callee, arguments: args }: Node): void {
    const [first] = args as Node[];
    const text = first && textOf(first);
    if (!text) return;
    const name = calledName(callee as Node);
    if (this.#isTest && testCalls.has(name)) this.#count('tests', isUnusual(text), this.#lineOf(first.start), text);
    else if (!this.#isTest && failureCalls.has(name)) this.#text(first, text);
  }

  #shownText(node: Node): void {
    if (node.type === 'JSXText') this.#text(node, String(node.value).trim());
    else if (this.#isTextFile && textOf(node)) this.#text(node, textOf(node)!);
    else if (node.type === 'Property' || node.type === 'JSXAttribute') {
      const { name: attribute, key, value } = node as Node & { name?: Node; key?: Node };
      const text = isNode(value) && textOf(value);
      if (text && shownProperties.has(String((attribute ?? key)?.name))) this.#text(value as Node, text);
    }
  }

  #text(node: Node, text: string): void {
    // A text of one word is a key or a state, not a sentence.
    if (this.#counted.has(node) || !text.includes(' ')) return;
    this.#counted.add(node);
    this.#count('texts', isUnusual(text), this.#lineOf(node.start), text);
  }

  #names(parameters: unknown): void {
    const { items } = parameters as { items?: unknown };
    for (const parameter of (items ?? parameters) as unknown[]) this.#name(parameter);
  }

  /** Counts each name that a parameter or a pattern binds. */
  #name(node: unknown): void {
    if (!isNode(node)) return;
    if (node.type === 'Identifier') {
      const name = String(node.name);
      this.#count('names', isBareWord(name), this.#lineOf(node.start), name);
    } else if (node.type === 'AssignmentPattern') this.#name(node.left);
    else if (node.type === 'ObjectPattern') {
      for (const property of node.properties as Node[]) this.#name(property.value ?? property.argument);
    } else if (node.type === 'ArrayPattern') for (const element of node.elements as unknown[]) this.#name(element);
    else if (node.type === 'RestElement') this.#name(node.argument);
    else if (node.type === 'TSParameterProperty') this.#name(node.parameter);
  }

  #count(kind: Kind, isPlace: boolean, line: number, text: string): void {
    this.all[kind]++;
    if (isPlace) this.places.push({ kind, file: this.#file, line, text: text.trim() });
  }

  #lineOf(offset: number): number {
    this.#lineStarts ??= [0, ...[...this.#source.matchAll(/\n/g)].map(({ index }) => index + 1)];
    let [low, high] = [0, this.#lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#lineStarts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  }
}

/** The text of a literal, or of a template with `…` for each expression. */
function textOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node.type !== 'TemplateLiteral') return undefined;
  return (node.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…');
}

/** The first name of `test`, `test.each(rows)` or `failures.invalid`; of a method, its own name. */
function calledName(callee: Node): string {
  if (callee.type === 'Identifier') return String(callee.name);
  if (callee.type === 'MemberExpression') {
    const object = calledName(callee.object as Node);
    return testCalls.has(object) ? object : String((callee.property as Node).name);
  }
  return callee.type === 'CallExpression' ? calledName(callee.callee as Node) : '';
}
