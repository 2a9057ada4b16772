import type { SiteSeverity } from '@azimuth/http/site';
import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { SiteQuery } from '../site/site-query.js';
import { columns } from './columns.js';

/** Rows of a page of the list. */
export const rowsOfPage = 100;

/** Scanners that may be shown as cards, at most. */
export const mostCards = 6;

/** Which scanners the list shows, and how. It stays while other pages are shown. */
class SiteView {
  readonly typed: Signal<string> = signal('');
  readonly group: Signal<string | undefined> = signal(undefined);
  readonly severity: Signal<SiteSeverity | undefined> = signal(undefined);
  readonly sort: Signal<string> = signal('trouble');
  readonly order: Signal<'asc' | 'desc'> = signal('asc');
  readonly from: Signal<number> = signal(0);
  readonly query: ReadonlySignal<SiteQuery> = computed(() => ({
    q: this.typed.value,
    group: this.group.value,
    severity: this.severity.value,
    sort: this.sort.value,
    order: this.order.value,
    from: this.from.value,
    limit: rowsOfPage,
  }));

  /** True if some scanners are left out. */
  get isFiltered(): boolean {
    return (
      this.typed.value.trim() !== '' || this.group.value !== undefined || this.severity.value !== undefined
    );
  }

  /** Sorts by a column; once more, the other way round. */
  sortBy(column: string): void {
    this.order.value = this.sort.peek() === column && this.order.peek() === 'asc' ? 'desc' : 'asc';
    this.sort.value = column;
    this.from.value = 0;
  }

  showGroup(group: string | undefined): void {
    this.group.value = group;
    this.from.value = 0;
  }

  showSeverity(severity: SiteSeverity | undefined): void {
    this.severity.value = severity;
    this.from.value = 0;
  }

  type(words: string): void {
    this.typed.value = words;
    this.from.value = 0;
  }

  showAll(): void {
    this.type('');
    this.showGroup(undefined);
    this.showSeverity(undefined);
  }
}

export const siteView = new SiteView();

const columnsKey = 'scanner-columns';
const cardsKey = 'scanner-cards';

const left: Signal<ReadonlySet<string>> = signal(leftOut());

/** The columns that are shown, in their order. */
export const shownColumns = computed(() =>
  columns.filter(({ id, isFixed }) => isFixed === true || !left.value.has(id)),
);

/** Shows a column, or leaves it out, also the next time in this browser. */
export function showColumn(id: string, isShown: boolean): void {
  const others = [...left.peek()].filter((one) => one !== id);
  left.value = new Set(isShown ? others : [...others, id]);
  localStorage.setItem(columnsKey, [...left.value].join(' '));
}

function leftOut(): ReadonlySet<string> {
  const stored = localStorage.getItem(columnsKey);
  if (stored !== null) return new Set(stored.split(' '));
  return new Set(columns.filter(({ isSpare }) => isSpare).map(({ id }) => id));
}

const wantsCards = signal(localStorage.getItem(cardsKey) === 'true');

/** True if a few scanners are shown as cards. */
export const prefersCards: ReadonlySignal<boolean> = wantsCards;

export function preferCards(wanted: boolean): void {
  wantsCards.value = wanted;
  localStorage.setItem(cardsKey, String(wanted));
}
