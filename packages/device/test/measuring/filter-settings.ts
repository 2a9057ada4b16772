import { processingSettings } from '../../src/measuring/processing.js';

/** The settings while every filter is off. */
export const off = processingSettings({
  has: () => false,
  read() {
    throw new Error('nothing to read');
  },
});
