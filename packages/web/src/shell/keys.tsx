import { signal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { CloseRow, Modal } from '../parts/dialogs.js';
import { setting, useKeys } from '../parts/inputs.js';
import { addressOf } from './page-address.js';
import { type Page, pages } from './pages.js';
import { openSearch } from './search.js';

const isOpen = signal(false);

export function openKeyHelp(): void {
  isOpen.value = true;
}

type Keys = readonly (readonly [keys: readonly string[], what: string])[];

const everywhere: Keys = [
  [['/'], 'Search pages, variables, methods and scanners'],
  [['?'], 'Show these keys'],
  [['Tab'], 'Go to the next control'],
  [['Escape'], 'Close a dialog, drop a choice'],
];

/** The keys of pages that have their own, by their names. */
const ofPages: Readonly<Record<string, Keys>> = {
  live: [
    [['Space'], 'Freeze, and go on'],
    [[',', '.'], 'The scan before, the scan after'],
    [['m'], 'Measure a distance'],
    [['f'], 'Show everything'],
    [['F'], 'Full screen'],
    [['←', '↑', '→', '↓'], 'Move the plan'],
    [['+', '−'], 'Zoom'],
  ],
  scanners: [
    [['↑', '↓'], 'Go to another scanner'],
    [['Enter'], 'Open the scanner'],
    [['Space'], 'Choose it for an action, or drop it'],
  ],
  fields: [
    [['Enter'], 'Set a corner; close the drawing'],
    [['Backspace'], 'Take the last corner back'],
    [['←', '↑', '→', '↓'], 'Move a corner by 10 mm, with Shift by 100 mm'],
    [['Delete'], 'Remove a corner'],
    [['Ctrl', 'Z'], 'Undo'],
    [['Ctrl', 'Y'], 'Redo'],
  ],
};

export function KeyHelp({ pages }: { pages: readonly Page[] }) {
  if (!isOpen.value) return null;
  const close = setting(isOpen, false);
  const opening: Keys = pages.map(({ key, title }) => [['g', key], title]);
  return (
    <Modal label="Keys" close={close}>
      <h2>Keys</h2>
      <div class="key-help">
        <KeyList title="Everywhere" keys={everywhere} />
        <KeyList title="Open a page" keys={opening} />
        {pages.map(({ id, title }) => ofPages[id] && <KeyList key={id} title={title} keys={ofPages[id]} />)}
      </div>
      <CloseRow close={close} />
    </Modal>
  );
}

function KeyList({ title, keys }: { title: string; keys: Keys }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl class="stacked">
        {keys.map(([pressed, what]) => (
          <div key={what}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** ms within which the second key of `g l` must come. */
const pairTimeout = 1200;

/** `/` opens the search, `?` the list of keys, `g` and a letter a page. They go before the keys of the pages. */
export function useShortcuts(): void {
  const gAt = useRef(Number.NEGATIVE_INFINITY);
  useKeys((event) => {
    const { key, timeStamp } = event;
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (key === '/') openSearch();
    else if (key === '?') openKeyHelp();
    else if (key === 'g') {
      gAt.current = timeStamp;
      return false;
    } else {
      const page = timeStamp - gAt.current < pairTimeout ? pages.find((one) => one.key === key) : undefined;
      gAt.current = Number.NEGATIVE_INFINITY;
      if (page === undefined) return false;
      event.stopImmediatePropagation();
      location.hash = addressOf(page);
    }
    return true;
  }, true);
}
