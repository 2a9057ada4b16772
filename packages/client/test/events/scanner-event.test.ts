import { allEvents } from '@azimuth/model';
import { expect, test } from 'vitest';
import { eventNames } from '../../src/events/scanner-event.js';

test('the typed names are those of the events in the model', () => {
  expect([...eventNames].sort()).toEqual(allEvents.map(({ name }) => name).sort());
});
