import type { SiteList } from '@azimuth/http/site';
import { computed, effect, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { pollInSight } from './poll-in-sight.js';
import { SiteFault } from './site-answer.js';
import { askSite, queryText, type SiteQuery } from './site-query.js';

/** ms between two questions for a list that is in sight. */
export const listEvery = 2000;

/** Why there is no newer list. */
export interface SiteAbsence {
  /** When the server has answered last: ms, performance.now(); undefined if it never has. */
  readonly since: number | undefined;
  readonly why: string;
}

/** An answer, and the query that it belongs to. */
export interface AnsweredList {
  readonly query: string;
  readonly list: SiteList;
}

/** Asks the server of the page repeatedly for a part of its scanners, while the page is in sight. */
export class SiteFeed {
  readonly #query: ReadonlySignal<SiteQuery>;
  readonly #every: number;
  readonly #onList: (list: SiteList) => void;
  /** ms, performance.now() */
  #answeredAt: number | undefined;
  readonly #answered: Signal<AnsweredList | undefined> = signal(undefined);
  readonly #absence: Signal<SiteAbsence | undefined> = signal(undefined);
  /** The newest answer; undefined until the first one. It stays while the server does not answer. */
  readonly answered: ReadonlySignal<AnsweredList | undefined> = this.#answered;
  /** Undefined while the server answers. */
  readonly absence: ReadonlySignal<SiteAbsence | undefined> = this.#absence;
  /** True if the newest answer belongs to the present query. */
  readonly isCurrent: ReadonlySignal<boolean> = computed(
    () => this.#answered.value?.query === queryText(this.#query.value),
  );

  /**
   * @param query begins anew when it changes
   * @param every ms between two questions
   * @param onList gets each list
   */
  constructor(query: ReadonlySignal<SiteQuery>, every: number, onList: (list: SiteList) => void = () => {}) {
    this.#query = query;
    this.#every = every;
    this.#onList = onList;
  }

  /** Follows the list until the returned function is called. */
  open(): () => void {
    return effect(() => {
      void this.#query.value;
      return pollInSight(this.#every, (aborted) => this.#ask(aborted));
    });
  }

  async #ask(aborted: AbortSignal): Promise<void> {
    const query = this.#query.peek();
    try {
      const list = await askSite(query, aborted);
      if (aborted.aborted) return;
      this.#onList(list);
      this.#answered.value = { query: queryText(query), list };
      this.#absence.value = undefined;
      this.#answeredAt = performance.now();
    } catch (error) {
      if (aborted.aborted) return;
      if (!(error instanceof SiteFault)) throw error;
      this.#absence.value = { since: this.#answeredAt, why: error.message };
    }
  }
}
