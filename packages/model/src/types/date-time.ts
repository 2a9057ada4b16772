import { integer } from './integer.js';
import { struct } from './struct.js';
import type { TypeOf } from './value-type.js';

/** A calendar date and time of the device's clock, to the microsecond. */
export function dateTime() {
  return struct({
    uiYear: integer('uint16', { maximum: 2105 }),
    usiMonth: integer('uint8', { maximum: 12, initial: 1 }),
    usiDay: integer('uint8', { maximum: 31, initial: 1 }),
    usiHour: integer('uint8', { maximum: 23 }),
    usiMinute: integer('uint8', { maximum: 59 }),
    usiSec: integer('uint8', { maximum: 59 }),
    udiUSec: integer('uint32', { maximum: 999_999 }),
  });
}

export type DateTime = TypeOf<ReturnType<typeof dateTime>>;
