/**
 * What drives a pin. An input is `open`. An output of the mode PNP is `high` or `open`, one of the mode NPN `low` or
 * `open`, one of the mode PUSH_PULL `high` or `low`.
 */
export type PinLevel = 'high' | 'low' | 'open';

/** A lamp of the device. `state` shows DeviceStatus, `find` helps to find the device. */
export interface Lamp {
  readonly id: 'state' | 'find';
  readonly color: 'green' | 'yellow' | 'red' | 'white';
  readonly shows: 'on' | 'off' | 'blinking';
}
