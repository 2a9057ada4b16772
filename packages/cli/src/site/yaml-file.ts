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

/** A file that cannot be used. Each mistake is a line: `hall.yaml:12:7: …`. */
export class FileMistakes extends CommandFailure {
  constructor(
    readonly path: string,
    readonly mistakes: readonly Mistake[],
  ) {
    super(mistakes.map((mistake) => lineOf(path, mistake)).join('; '));
  }

  override get lines(): readonly string[] {
    return this.mistakes.map((mistake) => lineOf(this.path, mistake));
  }
}

function lineOf(path: string, { line, column, message }: Mistake): string {
  return `${path}:${line}:${column}: ${message}`;
}

/** A YAML text with the places of its nodes, and what was found wrong in it. */
export class YamlFile {
  readonly document: Document;
  readonly #lines = new LineCounter();
  readonly #mistakes: Mistake[] = [];
  /** Behind each mistake, while a value that many scanners have is read for one of them. */
  #words: string | undefined;

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

  /**
   * Reads a value that many scanners have, for one of them: only the first mistake at each place is noted.
   * @param words behind each mistake
   */
  perPlace<T>(words: string, read: () => T): T {
    this.#words = words;
    try {
      return read();
    } finally {
      this.#words = undefined;
    }
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
    const words = this.#words;
    const mistake = { line: Math.max(1, line), column: Math.max(1, col), message: message + (words ?? '') };
    const isKnown = (other: Mistake) =>
      words === undefined
        ? isDeepStrictEqual(other, mistake)
        : other.line === mistake.line && other.column === mistake.column;
    // What is used for many scanners is wrong for each of them.
    if (!this.#mistakes.some(isKnown)) this.#mistakes.push(mistake);
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

/** The text of a key; empty for anything that is none. */
export function wordOf(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
