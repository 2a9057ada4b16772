import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type LineCounter,
  type Node,
  Parser,
  parseDocument,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';

/** A problem in a text. */
interface YamlProblem {
  /** Position in UTF-16 units from the beginning. */
  readonly offset: number;
  readonly message: string;
}

/**
 * Maximum number of values in a document, when each alias counts as its whole content: more than the largest site has.
 */
const maxValues = 2_000_000;

/** Maximum depth of nested maps, lists and keys. */
const deepest = 200;

/** Maximum number of problems that are collected: further ones are found in the next run. */
const maxProblems = 100;

/**
 * Parses a YAML text, which includes JSON. The time is proportional to its length. The parser alone would compare each
 * key with all others of its map, search all anchors for each alias and each key that is a list, and overflow the
 * stack.
 */
export class YamlDocument {
  readonly document: Document;
  /** The first syntax errors, duplicate keys, and aliases that would make it far larger than it is. */
  readonly problems: readonly YamlProblem[];

  constructor(text: string, lines?: LineCounter) {
    const { document, problems } = parsed(text, lines);
    this.document = document;
    // Without syntax errors, all nodes are complete.
    this.problems =
      problems.length === 0 ? new Walk(document, lines).problems : problems.slice(0, maxProblems);
  }

  /** Returns the node of an alias, or the node itself. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  /** Returns the value of a document without problems. */
  toJS(): unknown {
    // The walk has counted the content of aliases.
    return this.document.toJS({ maxAliasCount: -1 });
  }
}

class TooDeep extends Error {
  constructor(readonly offset: number) {
    super();
  }
}

function parsed(
  text: string,
  lines: LineCounter | undefined,
): { document: Document; problems: YamlProblem[] } {
  try {
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false });
    const [document, another] = composer.compose(yamlTokens(text, lines), true, text.length);
    if (document === undefined) throw new TypeError('the composer makes a document of every text');
    const problems = [...document.errors, ...document.warnings].map(yamlProblem);
    if (another !== undefined) {
      const [offset] = another.range;
      problems.push({ offset, message: 'the text has more than one document: expected no line with ---' });
    }
    return { document, problems };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const message = `expected at most ${deepest} maps, lists and keys inside one another`;
    return { document: parseDocument(''), problems: [{ offset: error.offset, message }] };
  }
}

function yamlProblem({
  message,
  pos,
}: {
  readonly message: string;
  readonly pos: readonly [number, number];
}) {
  return { offset: pos[0], message };
}

/** @throws TooDeep before the composer runs, which calls itself for each level */
function* yamlTokens(text: string, lines: LineCounter | undefined): Generator<CST.Token> {
  const parser = new Parser(lines?.addNewLine);
  lines?.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > deepest) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}

/** The content of an alias. */
type Target = Scalar | YAMLMap | YAMLSeq;

/** One pass over the nodes of a document, in the order of the text. */
class Walk {
  readonly problems: YamlProblem[] = [];
  readonly #anchors = new Map<string, Target>();
  /** Number of values of the nodes with anchors; undefined while such a node has not ended. */
  readonly #sizes = new Map<Node, number | undefined>();
  readonly #lines: LineCounter | undefined;

  constructor(document: Document, lines: LineCounter | undefined) {
    this.#lines = lines;
    if (this.#nodeSize(document.contents) <= maxValues) return;
    this.#add(document.contents, `with all that its aliases stand for, it has more than ${maxValues} values`);
  }

  /** Returns the number of values of a node, including itself. */
  #nodeSize(node: unknown): number {
    if (isAlias(node)) return this.#sizeOfAlias(node);
    if (isPair(node)) return this.#nodeSize(node.key) + this.#nodeSize(node.value);
    if (!isMap(node) && !isSeq(node)) {
      if (isScalar(node) && node.anchor !== undefined) this.#anchored(node.anchor, node, 1);
      return 1;
    }
    if (node.anchor !== undefined) this.#anchored(node.anchor, node, undefined);
    if (isMap(node)) this.#checkKeys(node.items);
    let size = 1;
    for (const item of node.items) size += this.#nodeSize(item);
    if (node.anchor !== undefined) this.#sizes.set(node, size);
    return size;
  }

  #sizeOfAlias(alias: Alias): number {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) {
      this.#add(alias, `*${alias.source} stands for nothing: there is no &${alias.source} before it`);
      return 1;
    }
    // From now on, it is not searched for any more.
    alias.resolve = () => target;
    const size = this.#sizes.get(target);
    if (size === undefined) this.#add(alias, `*${alias.source} is inside of what it stands for`);
    return size ?? 1;
  }

  #anchored(name: string, node: Target, size: number | undefined): void {
    this.#anchors.set(name, node);
    this.#sizes.set(node, size);
  }

  #checkKeys(pairs: readonly { readonly key: unknown }[]): void {
    const known = new Map<unknown, Scalar>();
    for (const { key } of pairs) {
      const resolved = isAlias(key) ? this.#anchors.get(key.source) : key;
      if (isMap(resolved) || isSeq(resolved)) this.#add(isNode(key) ? key : null, 'expected a text as key');
      if (!isScalar(key)) continue;
      const first = known.get(key.value);
      if (first === undefined) known.set(key.value, key);
      else this.#add(key, `"${String(key.value)}" is there twice${this.#behind(first)}`);
    }
  }

  /** The place of the first key, for the message about the second one. */
  #behind(first: Node): string {
    if (this.#lines === undefined) return '';
    const { line, col } = this.#lines.linePos(first.range?.[0] ?? 0);
    return `: first in line ${line}, column ${col}`;
  }

  #add(node: Node | null, message: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ offset: node?.range?.[0] ?? 0, message });
  }
}
