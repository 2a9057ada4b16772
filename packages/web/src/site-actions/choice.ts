import type { SiteScanner } from '@azimuth/http/site';
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';

/** Scanners that can be chosen at once. */
export const mostChosen = 200;

type Chosen = ReadonlyMap<string, SiteScanner>;

/** The scanners that a person has chosen, on several pages of the list. */
export class Choice {
  readonly #chosen: Signal<Chosen> = signal(new Map());

  /** By their paths, in the order of the choice. */
  get chosen(): ReadonlySignal<Chosen> {
    return this.#chosen;
  }

  has(path: string): boolean {
    return this.#chosen.value.has(path);
  }

  get isFull(): boolean {
    return this.#chosen.value.size >= mostChosen;
  }

  toggle(row: SiteScanner): void {
    if (this.#chosen.peek().has(row.path)) this.drop([row]);
    else this.add([row]);
  }

  /** Adds as many as there is room for. */
  add(rows: readonly SiteScanner[]): void {
    const chosen = new Map(this.#chosen.peek());
    for (const row of rows) {
      if (chosen.size < mostChosen || chosen.has(row.path)) chosen.set(row.path, row);
    }
    this.#chosen.value = chosen;
  }

  drop(rows: readonly Pick<SiteScanner, 'path'>[]): void {
    const chosen = new Map(this.#chosen.peek());
    for (const { path } of rows) chosen.delete(path);
    this.#chosen.value = chosen;
  }

  clear(): void {
    this.#chosen.value = new Map();
  }

  /** Takes over the newest facts about those that are chosen. */
  learn(rows: readonly SiteScanner[]): void {
    const known = this.#chosen.peek();
    const news = rows.filter(({ path }) => known.has(path));
    if (news.length > 0) this.add(news);
  }
}

/** The choice of this page. It stays while other pages are shown. */
export const choice = new Choice();
