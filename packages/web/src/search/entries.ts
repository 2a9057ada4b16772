import { allMethods, type Edition, type Shape, type Variable } from '@azimuth/model';
import { enumerationWords } from '../forms/enumeration-words.js';
import { spokenName } from '../forms/spoken-name.js';
import { variablesOf } from '../forms/variables.js';
import { pageForMethod } from './method-pages.js';

/** A page, and what is chosen on it. */
interface Place {
  readonly page: string;
  readonly rest: string;
}

/** Something that the search finds, and where it leads. */
export interface Entry {
  readonly title: string;
  /** What it is, and what for. */
  readonly text: string;
  /** Parts of it that have names of their own: members, and values with a name. */
  readonly parts: readonly string[];
  /** Undefined if no page has it. */
  readonly place: Place | undefined;
}

/** A page, as far as the search needs it. */
export interface FoundPage {
  readonly id: string;
  readonly title: string;
  readonly section: string;
}

/** The names in a value: those of its members, and of the values of enumerations, as they are and as they are said. */
export function partsOf(shape: Shape, at = ''): readonly string[] {
  switch (shape.kind) {
    case 'struct':
      return Object.entries(shape.members).flatMap(([name, member]) => {
        const place = at === '' ? name : `${at}.${name}`;
        return [`${place} (${spokenName(name)})`, ...partsOf(member.shape, place)];
      });
    case 'array':
      return partsOf(shape.of, at);
    case 'enumeration': {
      const words = enumerationWords(shape.values);
      const before = at === '' ? '' : `${at}: `;
      return Object.entries(shape.values).map(([name, value]) => {
        const spoken = words.get(value) ?? '';
        return `${before}${value} ${name}${spoken === '' || spoken === name ? '' : ` (${spoken})`}`;
      });
    }
    default:
      return [];
  }
}

/** All pages, variables and methods of a scanner. Before its edition is known, only the pages. */
export function entriesOf(pages: readonly FoundPage[], edition: Edition | undefined): readonly Entry[] {
  const ofPages = pages.map(({ id, title, section }) => ({
    title,
    text: `Page, ${section}`,
    parts: [],
    place: { page: id, rest: '' },
  }));
  if (edition === undefined) return ofPages;
  const methods = allMethods.filter((method) => method.isIn(edition));
  return [
    ...ofPages,
    ...variablesOf(edition).map(entryOfVariable),
    ...methods.map(({ name, group, facts, request }) => {
      const page = pages.find(({ id }) => id === pageForMethod(name));
      const way = page === undefined ? `by azimuth call ${name}` : `on the page ${page.title}`;
      return {
        title: name,
        text: `${group}, method, ${way}: ${facts.text}`,
        parts: partsOf(request.shape),
        place: page === undefined ? undefined : { page: page.id, rest: '' },
      };
    }),
  ];
}

function entryOfVariable({ name, group, facts, type }: Variable<unknown>): Entry {
  return {
    title: name,
    text: `${group}: ${facts.text}`,
    parts: [spokenName(name), ...partsOf(type.shape)],
    place: { page: 'parameters', rest: name },
  };
}
