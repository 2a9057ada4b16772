import { allMethods, builtInInterface, newestRelease } from '@azimuth/model';
import { expect, test } from 'vitest';
import type { Edition } from '../../src/connection/declarations.js';
import { variablesOf } from '../../src/connection/declarations.js';
import { type Entry, entriesOf, pageForMethod, partsOf, search } from '../../src/shell/search-entries.js';

const ids =
  'overview live detections recording fields parameters ports network certificates time users changes log diagnosis backup firmware restart';
const pages = ids
  .split(' ')
  .map((id) => ({ id, title: `Page ${id}`, section: 'Set up', address: `#/${id}` }));
const edition: Edition = { release: newestRelease, variant: 'full', known: builtInInterface };
const linkTo = (page: string, rest: string) => `#/${page}/${rest}`;
const entries = entriesOf(pages, edition, linkTo);

const titlesFor = (typed: string) => search(entries, typed).map(({ entry }) => entry.title);

test('every variable and every method is the first to be found by its name, in any case', () => {
  const names = [...variablesOf(edition), ...allMethods].map(({ name }) => name);
  expect(names.length).toBeGreaterThan(120);
  for (const name of names) expect(titlesFor(name.toUpperCase())[0], name).toBe(name);
});

test('every variable is found by each of its members and each name of its values', () => {
  for (const { name, type } of variablesOf(edition)) {
    for (const part of partsOf(type.shape)) expect(titlesFor(part), `${name}, ${part}`).toContain(name);
  }
});

test('a value is found by its name and by its words, and the hit says which one it is', () => {
  const [first] = search(entries, 'TX_IP_DHCP');
  expect(first).toMatchObject({ entry: { title: 'EtherAddressingMode' }, part: '1 TX_IP_DHCP (DHCP)' });
  expect(titlesFor('response time')).toContain('ContaminationConfig');
  expect(titlesFor('50 Hz')).toContain('PerformanceProfileNumber');
});

test('words may be in the name and in the description, in any order', () => {
  expect(titlesFor('zone time')).toContain('TSCTCtimezone');
  expect(titlesFor('reboot lost')).toContain('SoftReset');
});

test('a hit leads to the variable, or to the page that calls the method', () => {
  const address = (name: string) => entries.find(({ title }) => title === name)?.address;
  expect(address('ScanDataEnable')).toBe('#/parameters/ScanDataEnable');
  expect(address('SoftReset')).toBe('#/restart');
  expect(address('getChallenge')).toBeUndefined();
});

test('every method is called by an existing page, apart from those that only programs need', () => {
  const without = allMethods.filter(({ name }) => !pages.some(({ id }) => id === pageForMethod(name)));
  expect(without.map(({ name }) => name)).toEqual([
    'getChallenge',
    'checkCredentials',
    'CreateSessionToken',
    'mResetEncoderIncrement',
    'GetDiagnosisDumpInfo',
  ]);
});

test('what a scanner does not have is not found', () => {
  const oldest = entriesOf(
    pages,
    { release: '1.4.0', variant: 'basic', known: builtInInterface },
    linkTo,
  ).map(({ title }) => title);
  expect(oldest).toContain('LocationName');
  expect(oldest).not.toContain('ROSInterfaceNamespace');
  expect(oldest).not.toContain('StartTeachIn');
});

test('the exact name comes before names that begin with it, then parts, then descriptions', () => {
  const entry = (title: string, text = '', parts: readonly string[] = []): Entry => ({
    title,
    text,
    parts,
    address: undefined,
  });
  const some = [
    entry('One', 'about a port'),
    entry('Two', '', ['Port']),
    entry('MyPort'),
    entry('Ports'),
    entry('Port'),
  ];
  expect(search(some, 'port').map(({ entry: { title } }) => title)).toEqual([
    'Port',
    'Ports',
    'MyPort',
    'Two',
    'One',
  ]);
});
