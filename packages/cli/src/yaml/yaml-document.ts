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

/** Something wrong in a text. */
interface YamlFault {
  /** Where, in UTF-16 units from the beginning. */
  readonly offset: number;
  readonly message: string;
}

/** Values that a document may have when each alias is counted as all that it stands for: more than the largest site has. */
const mostValues = 2_000_000;

/** Maps, lists and keys that may be inside one another. */
const deepest = 200;

/** Faults that are looked for: who has mended so many looks again. */
const mostFaults = 100;

/**
 * A YAML text, and JSON is YAML, too. Reading it takes a time that grows with its length alone. The parser by itself would
 * compare each key with all others of its map, search all anchors for each alias and each key that is a list, and run out of
 * stack.
 */
export class YamlDocument {
  readonly document: Document;
  /** The first faults of its syntax, keys that are there twice, and aliases that would make it far larger than it is. */
  readonly faults: readonly YamlFault[];

  constructor(text: string, lines?: LineCounter) {
    const { document, faults } = parsed(text, lines);
    this.document = document;
    // Without faults of syntax, all nodes are whole.
    this.faults = faults.length === 0 ? new Walk(document, lines).faults : faults.slice(0, mostFaults);
  }

  /** The node that an alias stands for, or the node itself. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  /** What a document without faults means. */
  toJS(): unknown {
    // The walk has counted what aliases stand for.
    return this.document.toJS({ maxAliasCount: -1 });
  }
}

class TooDeep extends Error {
  constructor(readonly offset: number) {
    super();
  }
}

function parsed(text: string, lines: LineCounter | undefined): { document: Document; faults: YamlFault[] } {
  try {
    const composer = new Composer({ uniqueKeys: false, prettyErrors: false });
    const [document, another] = composer.compose(tokensOf(text, lines), true, text.length);
    if (document === undefined) throw new TypeError('the composer makes a document of every text');
    const faults = [...document.errors, ...document.warnings].map(faultOf);
    if (another !== undefined) {
      const [offset] = another.range;
      faults.push({ offset, message: 'the text has more than one document: expected no line with ---' });
    }
    return { document, faults };
  } catch (error) {
    if (!(error instanceof TooDeep)) throw error;
    const message = `expected at most ${deepest} maps, lists and keys inside one another`;
    return { document: parseDocument(''), faults: [{ offset: error.offset, message }] };
  }
}

function faultOf({ message, pos }: { readonly message: string; readonly pos: readonly [number, number] }) {
  return { offset: pos[0], message };
}

/** @throws TooDeep before the composer, which calls itself for each level, sees it */
function* tokensOf(text: string, lines: LineCounter | undefined): Generator<CST.Token> {
  const parser = new Parser(lines?.addNewLine);
  lines?.addNewLine(0);
  for (const lexeme of new Lexer().lex(text)) {
    yield* parser.next(lexeme);
    if (parser.stack.length > deepest) throw new TooDeep(parser.offset);
  }
  yield* parser.end();
}

/** What an alias can stand for. */
type Target = Scalar | YAMLMap | YAMLSeq;

/** One pass over the nodes of a document, in the order in which they are written. */
class Walk {
  readonly faults: YamlFault[] = [];
  readonly #anchors = new Map<string, Target>();
  /** Values of the nodes that have anchors; undefined while such a node has not ended. */
  readonly #sizes = new Map<Node, number | undefined>();
  readonly #lines: LineCounter | undefined;

  constructor(document: Document, lines: LineCounter | undefined) {
    this.#lines = lines;
    if (this.#sizeOf(document.contents) <= mostValues) return;
    this.#add(
      document.contents,
      `with all that its aliases stand for, it has more than ${mostValues} values`,
    );
  }

  /** How many values a node has, its own one included. */
  #sizeOf(node: unknown): number {
    if (isAlias(node)) return this.#sizeOfAlias(node);
    if (isPair(node)) return this.#sizeOf(node.key) + this.#sizeOf(node.value);
    if (!isMap(node) && !isSeq(node)) {
      if (isScalar(node) && node.anchor !== undefined) this.#anchored(node.anchor, node, 1);
      return 1;
    }
    if (node.anchor !== undefined) this.#anchored(node.anchor, node, undefined);
    if (isMap(node)) this.#checkKeys(node.items);
    let size = 1;
    for (const item of node.items) size += this.#sizeOf(item);
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
      const meant = isAlias(key) ? this.#anchors.get(key.source) : key;
      if (isMap(meant) || isSeq(meant)) this.#add(isNode(key) ? key : null, 'expected a text as key');
      if (!isScalar(key)) continue;
      const first = known.get(key.value);
      if (first === undefined) known.set(key.value, key);
      else this.#add(key, `"${String(key.value)}" is there twice${this.#behind(first)}`);
    }
  }

  /** Where the first one is, for a message about the second one. */
  #behind(first: Node): string {
    if (this.#lines === undefined) return '';
    const { line, col } = this.#lines.linePos(first.range?.[0] ?? 0);
    return `: first in line ${line}, column ${col}`;
  }

  #add(node: Node | null, message: string): void {
    if (this.faults.length < mostFaults) this.faults.push({ offset: node?.range?.[0] ?? 0, message });
  }
}
