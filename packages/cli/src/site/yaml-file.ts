import { isDeepStrictEqual } from 'node:util';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
} from 'yaml';
import { CommandFailure } from '../command-failure.js';

/** Something wrong in a file, and where: both counted from 1. */
export interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A file that cannot be used. Each mistake is a line of the message: `hall.yaml:12:7: …`. */
export class FileMistakes extends CommandFailure {
  constructor(
    readonly path: string,
    readonly mistakes: readonly Mistake[],
  ) {
    const lines = mistakes.map(({ line, column, message }) => `${path}:${line}:${column}: ${message}`);
    super(lines.join('; '));
  }
}

/** A YAML text with the places of its nodes, and what was found wrong in it. */
export class YamlFile {
  readonly document: Document;
  readonly #lines = new LineCounter();
  readonly #mistakes: Mistake[] = [];

  constructor(
    readonly path: string,
    text: string,
  ) {
    this.document = parseDocument(text, { lineCounter: this.#lines, prettyErrors: false });
    for (const { message, pos } of [...this.document.errors, ...this.document.warnings]) {
      this.#add(pos[0], message);
    }
  }

  /** Notes a mistake at a node, or at the beginning of the file if there is none. */
  report(node: unknown, message: string): void {
    this.#add(isNode(node) ? (node.range?.[0] ?? 0) : 0, message);
  }

  /** @throws FileMistakes if there are any, in the order of the file */
  throwMistakes(): void {
    if (this.#mistakes.length === 0) return;
    const inOrder = this.#mistakes.toSorted(
      (one, other) => one.line - other.line || one.column - other.column,
    );
    throw new FileMistakes(this.path, inOrder);
  }

  /** The node that an alias stands for, or the node itself. */
  resolved(node: unknown): unknown {
    return isAlias(node) ? node.resolve(this.document) : node;
  }

  /** The deepest node on a path that is there. @param path `.Port`, `[2].Name` */
  nodeAt(node: unknown, path: string): unknown {
    let at = node;
    for (const [, index, member] of path.matchAll(/\[(\d+)\]|\.?([^.[\]]+)/g)) {
      const inside = this.resolved(at);
      const next = index === undefined ? memberOf(inside, member ?? '') : itemOf(inside, Number(index));
      if (next === undefined) break;
      at = next;
    }
    return at;
  }

  #add(offset: number, message: string): void {
    const { line, col } = this.#lines.linePos(offset);
    const mistake = { line: Math.max(1, line), column: Math.max(1, col), message };
    // What is used for many scanners is wrong for each of them.
    if (!this.#mistakes.some((other) => isDeepStrictEqual(other, mistake))) this.#mistakes.push(mistake);
  }
}

function memberOf(node: unknown, name: string): Node | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
  return isNode(pair?.value) ? pair.value : undefined;
}

function itemOf(node: unknown, index: number): Node | undefined {
  const item = isSeq(node) ? node.items[index] : undefined;
  return isNode(item) ? item : undefined;
}
