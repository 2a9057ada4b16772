import { basename } from 'node:path';
import { namedMistakes } from '@azimuth/test-support/driver-time';
import { expect } from 'vitest';

const file = basename(expect.getState().testPath ?? '');
const mistake = namedMistakes.find((named) => named.file === file)?.mistake;
if (mistake === undefined) throw new Error(`docs/driver-time.md names no mistake for ${file}`);
process.env.DRIVER_MISTAKE = mistake;
