import {
  bySiteName,
  nextTurn,
  type SiteCounts,
  type SiteQuery,
  type SiteScanner,
  type SiteSeverity,
  siteSeverities,
} from '@azimuth/http';
import { PlaceSet } from '../search/place-set.js';
import { ColumnOrder } from './column-order.js';
import { sortedInTurns, turnsOf } from './in-turns.js';
import { KeptWhileUsed, mostAtOnce } from './kept-while-used.js';
import { allOf, fullOrder, type Part, selectedOf, sortedPart } from './site-page.js';
import { byName, insert, isSame, type Row, remove } from './site-rows.js';
import { SearchedTexts, WordSearch } from './word-search.js';

/** Rows that are replaced one by one: beyond that, sorting all takes less time. */
const mostReplaced = 1000;

/** Selected rows that are sorted for a page. Of more, the page is cut out of all rows in their order. */
const mostSorted = 500;

/** Searches that are kept at most, and orders: each column in both directions. */
const mostKept = 32;

/**
 * The rows of a site, sorted as they change. A page is cut out of them, or out of what is derived from them: the order of a
 * column, and the rows that have the words of a search. Both are made with the first query for them, and then follow the rows.
 */
export class SiteIndex {
  /** By place. */
  readonly #rows: Row[];
  readonly #places = new Map<string, number>();
  /** In the order of their names. */
  readonly #inOrder: Record<SiteSeverity, Row[]> = { bad: [], warn: [], idle: [], good: [] };
  readonly #severities: Readonly<Record<SiteSeverity, PlaceSet>>;
  readonly #groups = new Map<string, { readonly places: PlaceSet; trouble: number }>();
  readonly #texts: KeptWhileUsed<SearchedTexts>;
  readonly #searches: KeptWhileUsed<WordSearch>;
  readonly #columns: KeptWhileUsed<ColumnOrder>;

  /** @param rows by place */
  private constructor(rows: readonly Row[], sorted: readonly Row[]) {
    this.#rows = [...rows];
    const none = () => new PlaceSet(rows.length);
    this.#severities = { bad: none(), warn: none(), idle: none(), good: none() };
    for (const row of sorted) this.#inOrder[row.one.severity].push(row);
    for (const row of rows) {
      this.#places.set(row.one.path, row.place);
      this.#join(row);
    }
    this.#texts = new KeptWhileUsed(this.#rows, 1);
    this.#searches = new KeptWhileUsed(this.#rows, mostKept);
    this.#columns = new KeptWhileUsed(this.#rows, mostKept);
  }

  /** @param rows of all scanners, in the order of the fleet */
  static async of(rows: readonly SiteScanner[]): Promise<SiteIndex> {
    const byPlace = rows.map((one, place) => ({ one, place }));
    return new SiteIndex(byPlace, await sortedInTurns(byPlace, byName));
  }

  /** Replaces the row of a scanner. */
  replace(one: SiteScanner): void {
    const before = this.#rowOf(one.path);
    if (before === undefined || isSame(before.one, one)) return;
    const row = { one, place: before.place };
    remove(this.#inOrder[before.one.severity], before, byName);
    insert(this.#inOrder[one.severity], row, byName);
    this.#leave(before);
    this.#join(row);
    this.#rows[row.place] = row;
    for (const kept of [this.#texts, this.#searches, this.#columns]) kept.note(before);
  }

  /**
   * Takes rows of some scanners over, if few of them have changed.
   * @returns false if a new index is needed
   */
  async replaceAll(rows: readonly SiteScanner[]): Promise<boolean> {
    const changed = rows.filter((one) => {
      const before = this.#rowOf(one.path);
      return before !== undefined && !isSame(before.one, one);
    });
    if (changed.length > mostReplaced) return false;
    for (const [index, one] of changed.entries()) {
      if (index > 0 && index % mostAtOnce === 0) await nextTurn();
      this.replace(one);
    }
    return true;
  }

  /**
   * Takes the rows of all scanners over, if they are the same scanners and few of them have changed.
   * @returns false if a new index is needed
   */
  async update(rows: readonly SiteScanner[]): Promise<boolean> {
    if (rows.length !== this.#rows.length) return false;
    const changed: SiteScanner[] = [];
    for await (const some of turnsOf(rows)) {
      for (const one of some) {
        const before = this.#rowOf(one.path);
        if (before === undefined) return false;
        if (!isSame(before.one, one)) changed.push(one);
      }
    }
    return this.replaceAll(changed);
  }

  get counts(): SiteCounts {
    const severities = { bad: 0, warn: 0, idle: 0, good: 0 };
    for (const severity of siteSeverities) severities[severity] = this.#inOrder[severity].length;
    const groups = Array.from(this.#groups, ([name, { places, trouble }]) => ({
      ...{ name, scanners: places.size, trouble },
    }));
    return {
      total: this.#rows.length,
      severities,
      groups: groups.filter(({ scanners }) => scanners > 0).sort(bySiteName),
    };
  }

  /** Returns the part that a query selects, and the counts of all scanners. Both are of one moment. */
  async list(query: SiteQuery): Promise<Part & SiteCounts> {
    for (;;) {
      const part = this.#part(query);
      if (!(part instanceof Promise)) return { ...part, ...this.counts };
      await part;
    }
  }

  /** Returns the selected part of this moment, or makes in turns what is missing for it. */
  #part(query: SiteQuery): Part | Promise<void> {
    const { selection, isSelected, sort, direction } = query;
    const { words, paths, group, severity } = selection;
    if (paths.size > 0) {
      const named = [...paths].flatMap((path) => this.#rowOf(path) ?? []);
      return sortedPart(
        named.filter(({ one }) => isSelected(one)),
        query,
      );
    }
    const sets = severity === undefined ? [] : [this.#severities[severity]];
    if (group !== undefined) sets.push(this.#groups.get(group)?.places ?? new PlaceSet(this.#rows.length));
    if (words.length > 0) {
      const key = words.join(' ');
      const search = this.#searches.get(key);
      if (search === undefined) return this.#searches.ready(key) ?? this.#makeSearch(key, query);
      sets.push(search.places);
    }
    const [first, ...others] = sets;
    const selected = first && (others.length === 0 ? first : PlaceSet.inAll([first, ...others]));
    if (selected !== undefined && selected.size <= mostSorted)
      return sortedPart(
        [...selected].flatMap((place) => this.#rows[place] ?? []),
        query,
      );
    const column = `${sort} ${direction}`;
    const lists = sort === 'trouble' ? this.#usualOrder(query) : this.#columns.get(column)?.lists;
    if (lists === undefined) return this.#columns.ready(column) ?? this.#makeColumn(column, query);
    return selected === undefined ? allOf(lists, query) : selectedOf(lists, selected.asBits(), query);
  }

  #usualOrder({ selection: { severity }, direction }: SiteQuery): readonly (readonly Row[])[] {
    if (severity !== undefined) return [this.#inOrder[severity]];
    const severities = direction === 'asc' ? siteSeverities : siteSeverities.toReversed();
    return severities.map((one) => this.#inOrder[one]);
  }

  #makeColumn(column: string, query: SiteQuery): Promise<void> {
    return this.#columns.make(column, new ColumnOrder(Object.values(this.#inOrder).flat(), fullOrder(query)));
  }

  #makeSearch(key: string, { selection: { words }, hasWords }: SiteQuery): Promise<void> {
    const texts = this.#texts.get('');
    if (texts === undefined)
      return this.#texts.ready('') ?? this.#texts.make('', new SearchedTexts([...this.#rows]));
    return this.#searches.make(key, new WordSearch(texts.withWords(words), this.#rows, hasWords));
  }

  #rowOf(path: string): Row | undefined {
    const place = this.#places.get(path);
    return place === undefined ? undefined : this.#rows[place];
  }

  #join({ one: { group, severity }, place }: Row): void {
    this.#severities[severity].add(place);
    const ofGroup = this.#groups.get(group) ?? { places: new PlaceSet(this.#rows.length), trouble: 0 };
    this.#groups.set(group, ofGroup);
    ofGroup.places.add(place);
    if (isTrouble(severity)) ofGroup.trouble++;
  }

  #leave({ one: { group, severity }, place }: Row): void {
    this.#severities[severity].delete(place);
    const ofGroup = this.#groups.get(group);
    if (ofGroup === undefined) return;
    ofGroup.places.delete(place);
    if (isTrouble(severity)) ofGroup.trouble--;
  }
}

function isTrouble(severity: SiteSeverity): boolean {
  return severity === 'bad' || severity === 'warn';
}
