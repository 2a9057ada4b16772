import { isDeepStrictEqual } from 'node:util';
import { type Document, isMap, isNode, isScalar, isSeq, LineCounter, type Node } from 'yaml';
import { CommandFailure } from '../command-failure.js';
import { YamlDocument } from './yaml-document.js';

/** Mistakes after which a file is read no further: who has mended so many looks again. */
const mostMistakes = 100;

/** Something wrong in a file, and where: both counted from 1. */
interface Mistake {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** A file that cannot be used. Each mistake is a line: `hall.yaml:12:7: …`. */
export class FileMistakes extends CommandFailure {
  /** @param isCut whether nothing was looked for behind them */
  constructor(
    readonly path: string,
    readonly mistakes: readonly Mistake[],
    readonly isCut = false,
  ) {
    super(mistakes.map((mistake) => lineOf(path, mistake)).join('; '));
  }

  override get lines(): readonly string[] {
    const lines = this.mistakes.map((mistake) => lineOf(this.path, mistake));
    return this.isCut ? [...lines, `${this.path}: there may be more mistakes behind these`] : lines;
  }
}

function lineOf(path: string, { line, column, message }: Mistake): string {
  return `${path}:${line}:${column}: ${message}`;
}

/** A YAML text with the places of its nodes, and what was found wrong in it. */
export class YamlFile {
  readonly #yaml: YamlDocument;
  readonly #lines = new LineCounter();
  readonly #mistakes: Mistake[] = [];
  /** Behind each mistake, while a value that many scanners have is read for one of them. */
  #words: string | undefined;

  constructor(
    readonly path: string,
    text: string,
  ) {
    this.#yaml = new YamlDocument(text, this.#lines);
    for (const { offset, message } of this.#yaml.faults) this.#add(offset, message);
  }

  get document(): Document {
    return this.#yaml.document;
  }

  /**
   * Notes a mistake at a node, or at the beginning of the file if there is none.
   * @throws FileMistakes if there are too many to go on
   */
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
    throw new FileMistakes(this.path, inOrder, this.#mistakes.length >= mostMistakes);
  }

  /** What a file without mistakes means. */
  toJS(): unknown {
    return this.#yaml.toJS();
  }

  /** The node that an alias stands for, or the node itself. */
  resolved(node: unknown): unknown {
    return this.#yaml.resolved(node);
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
    if (this.#mistakes.some(isKnown)) return;
    this.#mistakes.push(mistake);
    if (this.#mistakes.length >= mostMistakes) this.throwMistakes();
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
