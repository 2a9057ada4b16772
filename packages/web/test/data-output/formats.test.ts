import { builtInInterface, type Release, ScanDataFormat } from '@azimuth/model';
import { expect, test } from 'vitest';
import type { Edition } from '../../src/connection/declarations.js';
import { formatOf, formats, formatsOf, settingsOf } from '../../src/data-output/formats.js';

function edition(release: Release): Edition {
  return { release, variant: 'full', known: builtInInterface };
}

function labels(release: Release, number: number): readonly string[] {
  const format = formatOf(number);
  return format === undefined ? [] : settingsOf(format, edition(release)).map(({ label }) => label);
}

test('each format of the model has its row', () => {
  expect(formats.map(({ number }) => number).sort()).toEqual(Object.values(ScanDataFormat).sort());
});

test('ROS 2 is offered from the release that has it, and if it is chosen', () => {
  const numbers = (release: Release, chosen: unknown) =>
    formatsOf(edition(release), chosen).map(({ number }) => number);
  expect(numbers('2.1.0', ScanDataFormat.Compact)).not.toContain(ScanDataFormat.NativeROS2);
  expect(numbers('2.1.0', ScanDataFormat.NativeROS2)).toContain(ScanDataFormat.NativeROS2);
  expect(numbers('2.2.0', ScanDataFormat.Compact)).toContain(ScanDataFormat.NativeROS2);
});

test('each format has the settings that the release has', () => {
  expect(labels('2.4.4', ScanDataFormat.Compact)).toEqual([
    'Signal strength (RSSI)',
    'Properties (reflectors)',
  ]);
  expect(labels('2.2.0', ScanDataFormat.Compact)).toEqual([]);
  expect(labels('2.2.0', ScanDataFormat.NativeROS2)).toEqual(['Frame', 'Parent frame', 'Namespace']);
  expect(labels('2.3.1', ScanDataFormat.NativeROS2)).toContain('Domain');
  expect(labels('2.1.0', ScanDataFormat.LMDscandata)).toEqual(['Interfaces A and B']);
  expect(labels('2.4.4', ScanDataFormat.LMDscandata)).toHaveLength(7);
});
