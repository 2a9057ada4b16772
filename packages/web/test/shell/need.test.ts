import { builtInInterface, general, measurementDataOutput } from '@azimuth/model';
import { expect, test } from 'vitest';
import type { Edition } from '../../src/connection/declarations.js';
import { availableIn, type Need } from '../../src/shell/pages.js';

const recording = { id: 'recording', needs: measurementDataOutput.members.StartScanMerge };
const checksums = { id: 'checksums', needs: general.members.LFTchecksum };
const live = { id: 'live' };
const pages: readonly { readonly id: string; readonly needs?: Need }[] = [live, recording, checksums];

const abilities = (edition: Edition | undefined) => ({
  isOpen: true,
  edition,
  simulation: false,
  others: false,
  history: false,
});

test('a scanner has the pages whose part of the interface it has', () => {
  expect(
    availableIn(pages, abilities({ release: '2.4.4', variant: 'full', known: builtInInterface })),
  ).toEqual(pages);
  expect(
    availableIn(pages, abilities({ release: '2.4.4', variant: 'basic', known: builtInInterface })),
  ).toEqual([live, checksums]);
  expect(
    availableIn(pages, abilities({ release: '1.4.0', variant: 'full', known: builtInInterface })),
  ).toEqual([live]);
});

test('all pages are there until the edition is known', () => {
  expect(availableIn(pages, abilities(undefined))).toEqual(pages);
});

test('only scanners whose simulation can be controlled from here have its page', () => {
  const simulation = { id: 'simulation', ofSimulation: true };
  const offered: readonly { readonly id: string; readonly ofSimulation?: boolean }[] = [live, simulation];
  const edition = { release: '2.4.4', variant: 'full', known: builtInInterface } as const;
  expect(
    availableIn(offered, { isOpen: true, edition, simulation: false, others: false, history: false }),
  ).toEqual([live]);
  expect(
    availableIn(offered, { isOpen: true, edition, simulation: true, others: false, history: false }),
  ).toEqual([live, simulation]);
});

test('only one of several scanners has the page of all of them', () => {
  const many = { id: 'scanners', ofSeveral: true };
  const offered: readonly { readonly id: string; readonly ofSeveral?: boolean }[] = [live, many];
  const edition = { release: '2.4.4', variant: 'full', known: builtInInterface } as const;
  expect(
    availableIn(offered, { isOpen: true, edition, simulation: true, others: false, history: false }),
  ).toEqual([live]);
  expect(
    availableIn(offered, { isOpen: true, edition, simulation: false, others: true, history: false }),
  ).toEqual([live, many]);
});

test('while none of several scanners is open, only pages of all of them are there', () => {
  const many = { id: 'scanners', ofSeveral: true };
  const both = { id: 'live', ofNone: true };
  const offered: readonly { readonly id: string; readonly ofSeveral?: boolean; readonly ofNone?: boolean }[] =
    [many, both, { id: 'ports' }];
  const none = { isOpen: false, edition: undefined, simulation: false, others: true, history: false };
  expect(availableIn(offered, none)).toEqual([many, both]);
});
