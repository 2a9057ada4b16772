import { expect, test } from 'vitest';
import { corrections, departures, endpointsOf, measurementDataOutput } from '../src/index.js';

test('a departure from the specification names what is there, says why, and is no correction as well', () => {
  const served = endpointsOf({ release: '2.4.4', variant: 'full' });
  for (const { name, what, reason } of departures) {
    expect(served.has(name), name).toBe(true);
    expect(reason).toMatch(/^\S.*\.$/);
    expect(corrections.filter((other) => other.name === name && other.what === what)).toEqual([]);
  }
});

test('the turn of the encoder is the departure that is made: an angle, where the specification speaks of mm', () => {
  expect(departures.map(({ name, what }) => `${name}: ${what}`)).toEqual(['EncoderRotation: value unit']);
  expect(measurementDataOutput.members.EncoderRotation.facts.unit).toBe('°');
});
