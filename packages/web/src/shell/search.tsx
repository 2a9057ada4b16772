import { allParameters, allVariables } from '@azimuth/model';
import { signal, useSignal } from '@preact/signals';
import { Modal } from '../parts/modal.js';
import { linkTo } from '../routing/route.js';
import type { Page } from './pages.js';

const isOpen = signal(false);

export function openSearch(): void {
  isOpen.value = true;
}

interface Hit {
  readonly title: string;
  readonly text: string;
  readonly href: string;
}

const mostHits = 12;
const stored = new Set(allParameters.map(({ name }) => name));

/** The search over pages and parameters. */
export function Search({ pages }: { pages: readonly Page[] }) {
  return isOpen.value ? <SearchDialog pages={pages} /> : null;
}

function SearchDialog({ pages }: { pages: readonly Page[] }) {
  const typed = useSignal('');
  const close = () => {
    isOpen.value = false;
  };
  const hits = hitsOf(typed.value, pages);
  const openFirst = (event: Event) => {
    event.preventDefault();
    const [first] = hits;
    if (first === undefined) return;
    location.hash = first.href;
    close();
  };
  return (
    <Modal label="Search" close={close}>
      <form class="stack search" onSubmit={openFirst}>
        <input
          type="search"
          aria-label="Search pages and parameters"
          placeholder="Pages, parameters"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
          }}
        />
        <ul>
          {hits.map(({ title, text, href }) => (
            <li key={href}>
              <a href={href} onClick={close}>
                {title} <span class="small soft">{text}</span>
              </a>
            </li>
          ))}
        </ul>
        {hits.length === 0 && <p class="soft">Nothing has this in its name or its description.</p>}
      </form>
    </Modal>
  );
}

function hitsOf(typed: string, pages: readonly Page[]): readonly Hit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const all = [
    ...pages.map(({ id, title, section }) => ({ title, text: section, href: linkTo(id) })),
    ...allVariables
      .filter(({ name }) => stored.has(name))
      .map(({ name, group, facts }) => ({
        title: name,
        text: `${group}: ${facts.text}`,
        href: linkTo('parameters', name),
      })),
  ];
  const matches = ({ title, text }: Hit) => {
    const content = `${title} ${text}`.toLowerCase();
    return words.every((word) => content.includes(word));
  };
  const inTitle = ({ title }: Hit) => (words.every((word) => title.toLowerCase().includes(word)) ? 0 : 1);
  return all
    .filter(matches)
    .toSorted((one, other) => inTitle(one) - inTitle(other))
    .slice(0, mostHits);
}
