import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { CloseRow, Modal } from '../parts/dialogs.js';
import { isTyped, setting } from '../parts/inputs.js';
import { go } from '../parts/route.js';
import { type Page, pages } from './pages.js';
import { openSearch } from './search.js';

const isOpen = signal(false);

export function openKeyHelp(): void {
  isOpen.value = true;
}

type Keys = readonly (readonly [keys: readonly string[], what: string])[];

const everywhere: Keys = [
  [['/'], 'Search pages, variables and methods'],
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
    [['←', '↑', '→', '↓'], 'Move the plan'],
    [['+', '−'], 'Zoom'],
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
      <dl>
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
const pairWithin = 1200;

/** `/` opens the search, `?` the list of keys, `g` and a letter a page. Keys of fields that are typed into are left alone. */
export function useShortcuts(): void {
  useEffect(() => {
    let gAt = Number.NEGATIVE_INFINITY;
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyped(event.target)) return;
      if (event.key === '/') {
        event.preventDefault();
        openSearch();
      } else if (event.key === '?') {
        event.preventDefault();
        openKeyHelp();
      } else if (event.key === 'g') {
        gAt = event.timeStamp;
      } else if (event.timeStamp - gAt < pairWithin) {
        gAt = Number.NEGATIVE_INFINITY;
        const page = pages.find(({ key }) => key === event.key);
        if (page === undefined) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        go(page.id);
      }
    };
    // Before the pages, which have keys of their own.
    addEventListener('keydown', onKey, { capture: true });
    return () => removeEventListener('keydown', onKey, { capture: true });
  }, []);
}
