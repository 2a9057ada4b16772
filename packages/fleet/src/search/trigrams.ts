import { PlaceSet } from './place-set.js';

/** Places at which texts may have what is searched. */
export interface Found {
  readonly places: PlaceSet;
  /** True if each of them has it. Otherwise each of them has to be checked. */
  readonly isExact: boolean;
}

/** Stands behind the end of a text. */
const endCode = 0;

/** Stands for each character that has no code of its own: so there are few different threes, whatever the texts are. */
const otherCode = 1;

/** Characters with codes of their own, from 2 on. A code has 6 bits. */
const coded = 'abcdefghijklmnopqrstuvwxyz0123456789 -_./:,;()[]<>"\'#%&+*=?!@|';

const codes = new Uint8Array(128).fill(otherCode);
for (const [index, character] of [...coded].entries()) codes[character.charCodeAt(0)] = index + 2;

/** Words that are looked up for one search at most, the longest ones: a search by one letter looks at many sets. */
const mostLookedUp = 8;

/**
 * Finds texts by parts of them. For each three characters in a row, it has the places of the texts that contain them. So a
 * search looks only at places whose texts contain all threes of what is searched.
 */
export class Trigrams {
  readonly #limit: number;
  /** By the codes of the three characters. */
  readonly #sets: (PlaceSet | undefined)[] = Array.from({ length: 1 << 18 });

  /** @param limit number of places */
  constructor(limit: number) {
    this.#limit = limit;
  }

  add(place: number, texts: Iterable<string>): void {
    for (const text of texts) {
      let three = threeAt(text, 0);
      for (let index = 0; index < text.length; index++) {
        const set = this.#sets[three] ?? new PlaceSet(this.#limit);
        this.#sets[three] = set;
        set.add(place);
        three = ((three & 0xfff) << 6) | codeAt(text, index + 3);
      }
    }
  }

  /** Takes all texts of a place away. @param texts those that were added */
  remove(place: number, texts: Iterable<string>): void {
    for (const text of texts)
      for (let index = 0; index < text.length; index++) this.#sets[threeAt(text, index)]?.delete(place);
  }

  /** Finds the places whose texts contain all of the words. @param words in lower case, one or more, none of them empty */
  withWords(words: readonly string[]): Found {
    const isExact = words.every((word) => word.length <= 3 && ![...word].some(isOther));
    return {
      places: this.#inAll(longest(words).flatMap((word) => this.#setsOf(word))),
      isExact: isExact && words.length <= mostLookedUp,
    };
  }

  /** Finds the places whose one text may contain all of the words and end with an ending. @param ending not empty */
  withEnding(words: readonly string[], ending: string): Found {
    const sets = longest(words).flatMap((word) => this.#setsOf(word));
    for (let index = 0; index < ending.length; index++) sets.push(this.#setOf(threeAt(ending, index)));
    return { places: this.#inAll(sets), isExact: false };
  }

  #setOf(three: number): PlaceSet {
    return this.#sets[three] ?? new PlaceSet(this.#limit);
  }

  /** Sets of places: those that are in all of them may have the word. */
  #setsOf(word: string): readonly PlaceSet[] {
    const first = threeAt(word, 0);
    if (word.length === 1) return [this.#between(first, first + (1 << 12))];
    if (word.length === 2) return [this.#between(first, first + (1 << 6))];
    return Array.from({ length: word.length - 2 }, (_, index) => this.#setOf(threeAt(word, index)));
  }

  #between(from: number, to: number): PlaceSet {
    return PlaceSet.inAny(
      this.#limit,
      this.#sets.slice(from, to).filter((set) => set !== undefined),
    );
  }

  #inAll(sets: readonly PlaceSet[]): PlaceSet {
    const [first, ...others] = new Set(sets);
    return first === undefined ? new PlaceSet(this.#limit) : PlaceSet.inAll([first, ...others]);
  }
}

function longest(words: readonly string[]): readonly string[] {
  return [...new Set(words)].sort((one, other) => other.length - one.length).slice(0, mostLookedUp);
}

/** Codes of the three characters from an index on. */
function threeAt(text: string, index: number): number {
  return (codeAt(text, index) << 12) | (codeAt(text, index + 1) << 6) | codeAt(text, index + 2);
}

function codeAt(text: string, index: number): number {
  return index < text.length ? (codes[text.charCodeAt(index)] ?? otherCode) : endCode;
}

function isOther(character: string): boolean {
  return codeAt(character, 0) === otherCode;
}
