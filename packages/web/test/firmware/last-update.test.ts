import { UpdateState as states } from '@azimuth/model';
import { expect, test } from 'vitest';
import { lastUpdateText } from '../../src/firmware/firmware-update.js';

const textOf = (UpdateState: unknown, firmware?: unknown) =>
  lastUpdateText({ value: (name) => ({ UpdateState, firmware })[name] });

test.each([
  ['that was not', states.Initial, { Fault: '', Progress: 0 }, 'None since the scanner started'],
  ['that goes on', states.Started, { Fault: '', Progress: 42 }, 'It is going on: 42 %'],
  ['that goes on in a real scanner', states.Started, undefined, 'It is going on'],
  ['that is done', states.Finished, { Fault: '', Progress: 100 }, 'Installed'],
  [
    'that has failed',
    states.Error,
    { Fault: 'rauc: no slot', Progress: 42 },
    'Failed: rauc: no slot. The firmware is what it was before.',
  ],
  ['that a real scanner refused', states.Error, undefined, 'Refused. The firmware is what it was before.'],
  ['that nobody knows', undefined, undefined, '…'],
])('the text of an update %s', (_, state, firmware, text) => {
  expect(textOf(state, firmware)).toBe(text);
});
