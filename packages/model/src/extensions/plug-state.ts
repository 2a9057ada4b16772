import { enumeration } from '../types/enumeration.js';
import { string } from '../types/string.js';
import { struct } from '../types/struct.js';
import type { TypeOf } from '../types/value-type.js';

/** What becomes of the system plug in the connector. */
export const PlugState = {
  /** There is no plug. */
  NONE: 0,
  /** enableCloningPlug is off: the plug is neither read nor written. */
  IGNORED: 1,
  /** It has the stored parameters of this scanner. */
  CURRENT: 2,
  /** It gets the stored parameters at the next save or boot. */
  DUE: 3,
  /** It has the parameters of another scanner, or its own ones that it has never read. The next boot takes them. */
  WAITING: 4,
  /** Its parameters cannot be taken. It is not written. */
  REFUSED: 5,
  /** It cannot be read or written. The next save or boot tries again. */
  FAILED: 6,
} as const;

export const plugState = struct({
  State: enumeration(PlugState, PlugState.NONE),
  /** Of the scanner whose parameters it has; empty if that is not known. */
  SerialNumber: string({ maxLength: 9 }),
  /** What is wrong, in words. */
  Fault: string({ maxLength: 200 }),
});

export type PlugStatus = TypeOf<typeof plugState>;
