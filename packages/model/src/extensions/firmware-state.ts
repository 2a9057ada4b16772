import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

export const firmwareState = struct({
  /** Why the last firmware file was not installed, in words. Empty if nothing was refused since the last boot. */
  Fault: string({ maxLength: 200 }),
});

export type FirmwareState = TypeOf<typeof firmwareState>;
