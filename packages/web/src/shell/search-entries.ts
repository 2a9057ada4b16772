import type { SiteScanner } from '@azimuth/http/site';
import type { Shape, Variable } from '@azimuth/model';
import type { Edition } from '../connection/declarations.js';
import { variablesOf } from '../connection/declarations.js';
import { spokenName } from '../forms/spoken-name.js';
import { enumerationWords } from '../forms/value-text.js';

/** Something that the search finds, and where it leads. */
export interface Entry {
  readonly title: string;
  /** Kind and purpose of the entry. */
  readonly text: string;
  /** Parts of it that have names of their own: members, and values with a name. */
  readonly parts: readonly string[];
  /** Where it is; undefined if no page has it. */
  readonly address: string | undefined;
}

/** Members of a page that the search uses. */
interface SearchablePage {
  readonly id: string;
  readonly title: string;
  readonly section: string;
  readonly address: string;
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

/**
 * All pages, variables and methods of a scanner. Before its edition is known, only the pages.
 * @param linkTo returns the address of a selection on a page
 */
export function entriesOf(
  pages: readonly SearchablePage[],
  edition: Edition | undefined,
  linkTo: (page: string, rest: string) => string,
): readonly Entry[] {
  const ofPages = pages.map(({ title, section, address }) => ({
    title,
    text: `Page, ${section}`,
    parts: [],
    address,
  }));
  if (edition === undefined) return ofPages;
  const methods = edition.known.methods.filter((method) => method.isIn(edition));
  return [
    ...ofPages,
    ...variablesOf(edition).map((variable) => entryOfVariable(variable, linkTo('parameters', variable.name))),
    ...methods.map(({ name, group, facts, request }) => {
      const page = pages.find(({ id }) => id === pageForMethod(name));
      const way = page === undefined ? `by azimuth call ${name}` : `on the page ${page.title}`;
      return {
        title: name,
        text: `${group}, method, ${way}: ${facts.text}`,
        parts: partsOf(request.shape),
        address: page?.address,
      };
    }),
  ];
}

/** One of several scanners. @param address where it is shown */
export function entryOfScanner(row: SiteScanner, address: string): Entry {
  const { name, group, serialNumber, url, state } = row;
  const text = ['Scanner', group, state, serialNumber, url.replace(/^https?:\/\//, '')];
  return { title: name, text: text.filter((one) => one).join(', '), parts: [], address };
}

function entryOfVariable({ name, group, facts, type }: Variable<unknown>, address: string): Entry {
  return {
    title: name,
    text: `${group}: ${facts.text}`,
    parts: [spokenName(name), ...partsOf(type.shape)],
    address,
  };
}

/** An entry that has all words. The title and the text may lack words that one of its parts has. */
export interface Hit {
  readonly entry: Entry;
  /** Undefined if title and text have all words. */
  readonly part: string | undefined;
}

/**
 * Returns the entries that have all the words, anywhere in them. The order is: the title equals the typed text, the
 * title begins with it, the title has all words, a part has them, the text has them.
 */
export function search(entries: readonly Entry[], typed: string): readonly Hit[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const phrase = words.join(' ');
  return entries
    .flatMap((entry) => {
      const hit = hitIn(entry, words);
      return hit === undefined ? [] : [{ hit, rank: rankOf(hit, words, phrase) }];
    })
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ hit }) => hit);
}

const hasAll = (text: string, words: readonly string[]) => words.every((word) => text.includes(word));

function hitIn(entry: Entry, words: readonly string[]): Hit | undefined {
  const head = `${entry.title} ${entry.text}`.toLowerCase();
  if (hasAll(head, words)) return { entry, part: undefined };
  const others = words.filter((word) => !head.includes(word));
  const part = entry.parts.find((one) => hasAll(one.toLowerCase(), others));
  return part === undefined ? undefined : { entry, part };
}

function rankOf({ entry, part }: Hit, words: readonly string[], phrase: string): number {
  const title = entry.title.toLowerCase();
  if (title === phrase) return 0;
  if (title.startsWith(phrase)) return 1;
  if (hasAll(title, words)) return 2;
  return part === undefined ? 4 : 3;
}

/** The page on which a method is called, by the name of the method. A method that is not here is called by a command only. */
const pageOfMethod: Readonly<Record<string, string>> = {
  changePassword: 'users',
  SetPassword: 'users',
  EnableUserLevel: 'users',
  EnableLegacyUserLevel: 'users',
  WriteEeprom: 'parameters',
  LoadFactoryDefaults: 'parameters',
  LoadApplicationDefaults: 'parameters',
  SoftReset: 'restart',
  RebootDevice: 'restart',
  FindMe: 'overview',
  mStartMeasure: 'restart',
  mStopMeasure: 'restart',
  mStandby: 'restart',
  LSPsetdatetime: 'time',
  EthernetUpdate: 'network',
  SetWebserverEnabled: 'network',
  GetWebserverEnabled: 'network',
  SetOutput: 'ports',
  mResetOutputCounter: 'ports',
  StartScanMerge: 'recording',
  StopScanMerge: 'recording',
  ResetScanMergeView: 'recording',
  ActivateEvaluationGroup: 'fields',
  GetFieldEvaluationContour: 'fields',
  SetFieldEvaluationContour: 'fields',
  StartTeachIn: 'fields',
  StopTeachIn: 'fields',
  DoDiagnosisDump: 'diagnosis',
  ResetDetectionHistory: 'detections',
  RunFirmwareUpdate: 'firmware',
  setCertificateBundle: 'certificates',
  removeCertificateBundle: 'certificates',
  CreateParameterBackup: 'backup',
  RestoreParameterBackup: 'backup',
};

/** The page on which a method is called; undefined if no page calls it. */
export function pageForMethod(name: string): string | undefined {
  return pageOfMethod[name];
}
