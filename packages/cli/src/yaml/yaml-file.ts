import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node } from 'yaml';
import { CommandFailure } from '../command-failure.js';
import { YamlDocument } from './yaml-document.js';

/** Maximum number of mistakes in a file: further ones are found in the next run. */
const maxMistakes = 100;

/** A mistake in a file, and its place: line and column count from 1. */
interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** An invalid file. Each mistake is a line: `hall.yaml:12:7: …`. */
export class FileMistakes extends CommandFailure {
  /** @param isCut true if there may be further mistakes */
  constructor(
    readonly path: string,
    readonly mistakes: readonly Mistake[],
    readonly isCut = false,
  ) {
    super(mistakes.map((mistake) => mistakeLine(path, mistake)).join('; '));
  }

  override get lines(): readonly string[] {
    const lines = this.mistakes.map((mistake) => mistakeLine(this.path, mistake));
    return this.isCut ? [...lines, `${this.path}: there may be more mistakes behind these`] : lines;
  }
}

function mistakeLine(path: string, { line, column, message }: Mistake): string {
  return `${path}:${line}:${column}: ${message}`;
}

/** A YAML text with the places of its nodes, and the mistakes in it. */
export class YamlFile {
  readonly #yaml: YamlDocument;
  readonly #lines = new LineCounter();
  readonly #mistakes: Mistake[] = [];
  /** Text after each mistake, while a shared value is read for one scanner. */
  #words: string | undefined;

  constructor(
    readonly path: string,
    text: string,
  ) {
    this.#yaml = new YamlDocument(text, this.#lines);
    for (const { offset, message } of this.#yaml.problems) this.#add(offset, message);
  }

  get document(): Document {
    return this.#yaml.document;
  }

  /**
   * Records a mistake at a node, or at the beginning of the file if there is none.
   * @throws FileMistakes if there are too many to go on
   */
  report(node: unknown, message: string): void {
    this.#add(isNode(node) ? (node.range?.[0] ?? 0) : 0, message);
  }

  /**
   * Reads a shared value for one of its scanners: only the first mistake at each place is recorded.
   * @param words after each mistake
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
    throw new FileMistakes(this.path, inOrder, this.#mistakes.length >= maxMistakes);
  }

  /** Returns the value of a file without mistakes. */
  toJS(): unknown {
    return this.#yaml.toJS();
  }

  /** Returns the node of an alias, or the node itself. */
  resolved(node: unknown): unknown {
    return this.#yaml.resolved(node);
  }

  /** Returns the deepest existing node on a path. @param path `.Port`, `[2].Name` */
  nodeAt(node: unknown, path: string): unknown {
    let at = node;
    for (const [, index, member] of path.matchAll(/\[(\d+)\]|\.?([^.[\]]+)/g)) {
      const inside = this.resolved(at);
      const next = index === undefined ? memberNode(inside, member ?? '') : itemNode(inside, Number(index));
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
    // A value for many scanners is wrong for each of them.
    if (this.#mistakes.some(isKnown)) return;
    this.#mistakes.push(mistake);
    if (this.#mistakes.length >= maxMistakes) this.throwMistakes();
  }
}

function memberNode(node: unknown, name: string): Node | undefined {
  if (!isMap(node)) return undefined;
  const pair = node.items.find(({ key }) => isScalar(key) && key.value === name);
  return isNode(pair?.value) ? pair.value : undefined;
}

function itemNode(node: unknown, index: number): Node | undefined {
  const item = isSeq(node) ? node.items[index] : undefined;
  return isNode(item) ? item : undefined;
}

/** Returns the text of a key; empty for other nodes. */
export function keyText(key: unknown): string {
  return isScalar(key) ? String(key.value) : '';
}
