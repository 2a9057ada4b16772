import { type Signal, signal } from '@preact/signals';

/** Key of the chosen addresses in the storage of this browser. */
const key = 'live-shown';

/** Number of scanners that are shown without a choice: more of them in one plan are hard to distinguish. */
export const mostAtFirst = 8;

/**
 * Largest number of scanners that can be shown. A browser opens at most 255 WebSockets, and each scanner announces its
 * changes over one, too.
 */
export const mostShown = 40;

const stored: Signal<readonly string[] | undefined> = signal(readStored());

interface Addressed {
  /** Its address for people. */
  readonly shownUrl: string;
}

/**
 * Returns the scanners of the live view, in their order.
 * @param open the scanner whose pages are open: it is among them if nobody has chosen
 * @param chosen addresses; undefined if nobody has chosen
 */
export function shownOf<T extends Addressed>(
  all: readonly T[],
  open: T,
  chosen: readonly string[] | undefined = stored.value,
): readonly T[] {
  const shown = all.filter(({ shownUrl }) => chosen?.includes(shownUrl) === true).slice(0, mostShown);
  // A choice of scanners that are none of these now is none.
  if (shown.length > 0) return shown;
  const first = all.slice(0, mostAtFirst);
  return first.includes(open) ? first : [open, ...first.slice(0, mostAtFirst - 1)];
}

/** Shows these scanners, and stores the choice in this browser. An empty list clears the choice. */
export function choose(scanners: readonly Addressed[]): void {
  stored.value = scanners.map(({ shownUrl }) => shownUrl).slice(0, mostShown);
  localStorage.setItem(key, JSON.stringify(stored.value));
}

function readStored(): readonly string[] | undefined {
  try {
    const json: unknown = JSON.parse(localStorage.getItem(key) ?? 'null');
    return Array.isArray(json) ? json.filter((one) => typeof one === 'string') : undefined;
  } catch {
    return undefined;
  }
}
