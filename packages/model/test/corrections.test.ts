import { differences } from '@azimuth/test-support/interface/differences';
import { readPublished } from '@azimuth/test-support/interface/published-notation';
import { describe, expect, test } from 'vitest';
import {
  allEndpoints,
  allFiles,
  corrections,
  type Declaration,
  deviations,
  endpointsOf,
  measurementDataOutput,
  Variable,
} from '../src/index.js';

test('a departure from the specification names an existing place, has a reason, and is not also a correction', () => {
  const served = endpointsOf({ release: '2.4.4', variant: 'full' });
  for (const { name, what, reason } of deviations) {
    expect(served.has(name), name).toBe(true);
    expect(reason).toMatch(/^\S.*\.$/);
    expect(corrections.filter((other) => other.name === name && other.what === what)).toEqual([]);
  }
});

test('the turn of the encoder is the departure that is made: an angle, where the specification speaks of mm', () => {
  expect(deviations.map(({ name, what }) => `${name}: ${what}`)).toEqual(['EncoderRotation: value unit']);
  expect(measurementDataOutput.members.EncoderRotation.facts.unit).toBe('°');
});

const corrected = corrections.map(({ name, what }) => `${name}: ${what}`);

describe('the table of corrections', () => {
  test('gives a reason for each correction and has no duplicates', () => {
    expect(corrections.filter(({ reason }) => !/^\S.*\.$/.test(reason))).toEqual([]);
    expect(corrected.filter((line, index) => corrected.indexOf(line) !== index)).toEqual([]);
  });
});

describe('the published descriptions', () => {
  const declared = new Map<string, Declaration>();
  for (const endpoint of [...allEndpoints, ...allFiles]) {
    declared.set(endpoint.name, endpoint);
    if (!(endpoint instanceof Variable)) continue;
    for (const alias of endpoint.facts.aliases ?? []) declared.set(alias, endpoint);
  }
  const published = readPublished();
  const found = differences(published, declared);

  test('are read completely', () => {
    expect(published).toHaveLength(153);
    expect(published.flatMap(({ operations }) => [...operations.keys()])).toHaveLength(220);
  });

  test('differ from the model only where a correction says so', () => {
    expect(found.filter((line) => !corrected.includes(line))).toEqual([]);
  });

  test('need every correction', () => {
    expect(corrected.filter((line) => !found.includes(line))).toEqual([]);
  });
});
