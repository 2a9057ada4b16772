import { type SiteScanner, searchedTexts } from '@azimuth/http';
import type { PlaceSet } from '../search/place-set.js';
import { type Found, Trigrams } from '../search/trigrams.js';
import { turnsOf } from './in-turns.js';
import type { Derived } from './kept-while-used.js';
import type { Row } from './site-rows.js';

/** The texts of all rows: it finds those that may have some words, without a look at the others. */
export class SearchedTexts implements Derived {
  readonly #rows: readonly Row[];
  readonly #trigrams: Trigrams;

  /** @param rows by place; they do not change */
  constructor(rows: readonly Row[]) {
    this.#rows = rows;
    this.#trigrams = new Trigrams(rows.length);
  }

  async make(): Promise<void> {
    for await (const some of turnsOf(this.#rows))
      for (const { one, place } of some) this.#trigrams.add(place, searchedTexts(one));
  }

  replace(before: Row, row: Row): void {
    this.#trigrams.remove(before.place, searchedTexts(before.one));
    this.#trigrams.add(row.place, searchedTexts(row.one));
  }

  /** @param words in lower case, one or more */
  withWords(words: readonly string[]): Found {
    return this.#trigrams.withWords(words);
  }
}

/** The rows that have some words. */
export class WordSearch implements Derived {
  readonly places: PlaceSet;
  readonly #isExact: boolean;
  readonly #rows: readonly Row[];
  readonly #hasWords: (one: SiteScanner) => boolean;

  /**
   * @param found places of the rows of this moment
   * @param rows by place, as they are at each moment
   */
  constructor({ places, isExact }: Found, rows: readonly Row[], hasWords: (one: SiteScanner) => boolean) {
    this.places = places;
    this.#isExact = isExact;
    this.#rows = rows;
    this.#hasWords = hasWords;
  }

  async make(): Promise<void> {
    if (this.#isExact) return;
    for await (const some of turnsOf([...this.places])) for (const place of some) this.#check(place);
  }

  replace(_: Row, { place }: Row): void {
    this.#check(place);
  }

  #check(place: number): void {
    const row = this.#rows[place];
    if (row !== undefined && this.#hasWords(row.one)) this.places.add(place);
    else this.places.delete(place);
  }
}
