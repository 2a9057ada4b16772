/**
 * What drives a pin. An input is `open`. An output of the mode PNP is `high` or `open`, one of the mode NPN `low` or
 * `open`, one of the mode PUSH_PULL `high` or `low`.
 */
export type PinLevel = 'high' | 'low' | 'open';

/** A lamp of the device. `state` shows DeviceStatus, `find` helps to find the device. */
export interface Lamp {
  /** Which lamp it is. */
  readonly id: 'state' | 'find';
  /** Its colour while it is lit. */
  readonly color: 'green' | 'yellow' | 'red' | 'white';
  /** `blinking`: the hardware blinks it, about once a second. */
  readonly shows: 'on' | 'off' | 'blinking';
}
