import { scannerFacts, someFleet } from '@azimuth/test-support/some-fleet';
import { expect, test } from 'vitest';
import { Candidates } from '../../src/port/candidates.js';
import { selectedBy } from '../../src/port/fleet-requests.js';

test('the candidates of a page are few, in the order of the fleet, and none that is selected is missing', async () => {
  const facts = scannerFacts(40, (number) => ({ group: number % 4 === 0 ? 'gate' : 'hall' }));
  // Not in the order of the serial numbers.
  const { fleet } = await someFleet(facts.toSpliced(0, 3, ...facts.slice(0, 3).reverse()));
  await fleet.switchOff(fleet.virtualMatching('1*'));
  const candidates = new Candidates(fleet, 0);
  const most: Readonly<Record<string, number>> = {
    'state=off': 11,
    'state=failed': 0,
    'state=online': 0,
    'state=idle': 40,
    'group=gate': 10,
    'q=gate/*': 10,
    'q=g*/*': 40,
    'q=x*/*': 0,
    'q=1*': 11,
    'q=1*3': 11,
    'q=*3': 40,
    'q=3*&state=off': 11,
    'q=9*&group=hall': 1,
    'q=7': 40,
  };
  for (const [text, count] of Object.entries(most)) {
    const query = new URLSearchParams(`${text}&limit=50`);
    const isSelected = selectedBy(query);
    const matching = (members: typeof fleet.inOrder) =>
      members
        .filter(({ facts: { serial, group }, state }) => isSelected({ serial, group, state }))
        .map((member) => member.facts.serial);
    const found = await candidates.of(query);
    expect(matching(found), text).toEqual(matching(fleet.inOrder));
    expect(found.length, text).toBeLessThanOrEqual(count);
  }
});

test('candidates follow scanners that are added and removed', async () => {
  const { fleet } = await someFleet(scannerFacts(3));
  const candidates = new Candidates(fleet, 0);
  const serials = async (text: string) =>
    (await candidates.of(new URLSearchParams(`${text}&limit=9`))).map((member) => member.facts.serial);
  expect([await serials('group=hall'), await serials('q=2*')]).toEqual([['1', '2', '3'], ['2']]);
  await fleet.remove(['2']);
  expect([await serials('group=hall'), await serials('q=2*')]).toEqual([['1', '3'], []]);
});

test('parts of serial numbers are found without a look at all scanners', async () => {
  const { fleet } = await someFleet(scannerFacts(1200, (number) => ({ group: `hall ${number % 100}` })));
  const candidates = new Candidates(fleet, 0);
  const most: Readonly<Record<string, number>> = {
    ...{
      'q=*77': 12,
      'q=*7': 120,
      'q=1*77': 12,
      'q=11*77': 111,
      'q=*11*7': 12,
      'q=*113*': 12,
      'q=*1*1*1*1*': 1200,
    },
    ...{ 'q=*': 1200, 'q=*0*': 1200, 'q=*9999': 1, 'q=*a': 0, 'q=**1199': 1, 'q=*77&group=hall 7': 12 },
    ...{ 'q=*/*': 1200, 'q=hall 7*/*': 132, 'q=*/77': 1200 },
  };
  for (const [text, count] of Object.entries(most)) {
    const query = new URLSearchParams(`${text}&limit=50`);
    const isSelected = selectedBy(query);
    const matching = (members: typeof fleet.inOrder) =>
      members.filter(({ facts }) => isSelected(facts)).map(({ facts }) => facts.serial);
    const found = await candidates.of(query);
    expect(matching(found), text).toEqual(matching(fleet.inOrder));
    expect(found.length, text).toBeLessThanOrEqual(count);
  }
});

test('an index is not made for a page that the first scanners fill', async () => {
  const { fleet } = await someFleet(scannerFacts(30));
  const candidates = new Candidates(fleet, 20);
  const found = async (text: string) => (await candidates.of(new URLSearchParams(text))).length;
  expect([await found('q=*7&limit=2'), await found('q=1*&limit=9')]).toEqual([30, 30]);
  expect([await found('q=*7&from=1&limit=2'), await found('q=1*&limit=13')]).toEqual([3, 11]);
});
