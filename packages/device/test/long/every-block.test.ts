import { storedScanner } from '@azimuth/test-support/stored-scanner';
import { test } from 'vitest';
import { storedNames } from '../../src/storage/document.js';
import { findsForeignBytes } from '../storage/foreign-bytes.js';

test.each(storedNames)('512 foreign bytes anywhere in %s are found at the next start', async (name) => {
  await findsForeignBytes(await storedScanner(), name, Number.POSITIVE_INFINITY);
});
