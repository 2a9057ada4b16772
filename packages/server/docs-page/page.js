import { element, found } from './element.js';
import { entryElement } from './entry.js';

/**
 * @typedef {import('@azimuth/model/reference').Catalogue} Catalogue
 * @typedef {import('@azimuth/model/reference').CatalogueEntry} Entry
 * @typedef {{ entry: Entry, shown: HTMLElement, words: string }} Line
 * @typedef {{ heading: HTMLElement, link: HTMLElement, count: HTMLElement, lines: Line[] }} Section
 */

const search = found('search', HTMLInputElement);
const kind = found('kind', HTMLSelectElement);
const state = found('state', HTMLElement);

const response = await fetch('docs/interface.json');
if (response.ok) {
  /** @type {Catalogue} */
  const catalogue = await response.json();
  start(catalogue);
} else state.textContent = `The description cannot be had: HTTP ${response.status}`;

/** @param {Catalogue} catalogue */
function start({ release, variant, groups }) {
  found('edition', HTMLElement).textContent = `release ${release}, variant ${variant}`;
  const sections = groups.map(({ name, entries }) => {
    const id = name.toLowerCase().replaceAll(/[^a-z]+/g, '-');
    const heading = element('h2', { id }, name);
    const count = element('span', {}, String(entries.length));
    const link = element('a', { href: `#${id}` }, name, count);
    const lines = entries.map((entry) => ({
      entry,
      shown: entryElement(entry),
      words: `${entry.name} ${entry.text} ${name}`.toLowerCase(),
    }));
    found('groups', HTMLElement).append(link);
    found('entries', HTMLElement).append(heading, ...lines.map((line) => line.shown));
    return { heading, link, count, lines };
  });
  const filter = () => show(sections);
  search.addEventListener('input', filter);
  kind.addEventListener('change', filter);
  document.addEventListener('keydown', (event) => {
    if (
      event.key === '/' &&
      !(event.target instanceof Element && event.target.matches('input, textarea, select'))
    ) {
      event.preventDefault();
      search.focus();
    }
  });
  filter();
  window.addEventListener('hashchange', openNamed);
  openNamed();
}

/** Leaves those entries that hold every word that is searched for. @param {readonly Section[]} sections */
function show(sections) {
  const wanted = search.value.toLowerCase().split(/\s+/);
  let sum = 0;
  for (const { heading, link, count, lines } of sections) {
    let left = 0;
    for (const { entry, shown, words } of lines) {
      const fits = isOfKind(entry) && wanted.every((word) => words.includes(word));
      shown.hidden = !fits;
      if (fits) left += 1;
    }
    heading.hidden = left === 0;
    link.hidden = left === 0;
    count.textContent = String(left);
    sum += left;
  }
  state.textContent =
    sum === 0 ? 'Nothing here is named so.' : `${sum} of ${sections.flatMap(({ lines }) => lines).length}`;
}

/** @param {Entry} entry */
function isOfKind(entry) {
  switch (kind.value) {
    case '':
      return true;
    case 'event':
      return entry.event === true;
    case 'writable':
      return entry.kind === 'variable' && entry.level !== undefined;
    case 'page':
      return entry.kind === 'page' || entry.path.startsWith('x/');
    default:
      return entry.kind === kind.value;
  }
}

/** The entry that the address names behind `#`. */
function openNamed() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) named.open = true;
  named?.scrollIntoView();
}
