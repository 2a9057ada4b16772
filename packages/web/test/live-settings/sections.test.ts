import { expect, test } from 'vitest';
import { sections, sectionsOf, titleOf } from '../../src/live-settings/sections.js';
import { SettingChanges } from '../../src/live-settings/setting-changes.js';

test('a scanner without a setting has no row for it, and without all of them no section', () => {
  const has = ({ name }: { readonly name: string }) =>
    name === 'MCSenseLevel' || name === 'LFPintervalFilter';
  expect(sectionsOf(has).map(({ title, settings }) => [title, settings.map(([, label]) => label)])).toEqual([
    ['Filters', ['Fog']],
    ['Reduction', ['Interval of scans']],
  ]);
  expect(sectionsOf(() => true)).toEqual(sections);
});

test('a setting has a title for people, and others their name', () => {
  expect(titleOf('MCSenseLevel')).toBe('Fog');
  expect(titleOf('LocationName')).toBe('LocationName');
});

test('changes are undone from the last one back', () => {
  const changes = new SettingChanges();
  changes.add({ name: 'MCSenseLevel', from: 0, to: 1 });
  changes.add({ name: 'FREchoFilter', from: 1, to: 2 });
  const { last } = changes;
  expect(last?.name).toBe('FREchoFilter');
  if (last !== undefined) changes.drop(last);
  expect(changes.last).toEqual({ name: 'MCSenseLevel', from: 0, to: 1 });
});

test('a value that was not known before, or did not change, is nothing to undo', () => {
  const changes = new SettingChanges();
  changes.add({ name: 'MCSenseLevel', from: undefined, to: 1 });
  changes.add({ name: 'LFPparticle', from: { bEnable: true }, to: { bEnable: true } });
  expect(changes.last).toBeUndefined();
});
