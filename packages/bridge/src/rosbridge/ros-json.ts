import { isObject } from '@azimuth/model';
// Libraries whose members Node does not find by name.
import rosmsg from '@foxglove/rosmsg';
import serialization from '@foxglove/rosmsg2-serialization';
import type { MessageSchema } from '../messages/index.js';

/** The ROS of a robot. */
export type RosVersion = 1 | 2;

/** Returns the name of a type: ROS 1 has no `msg` in it. */
export function typeName({ name }: Pick<MessageSchema, 'name'>, ros: RosVersion): string {
  return ros === 2 ? name : name.replace('/msg/', '/');
}

/** Makes a function that decodes messages of a type (CDR) as JSON for rosbridge. */
export function jsonOf(schema: MessageSchema, ros: RosVersion): (message: Uint8Array) => unknown {
  const reader = new serialization.MessageReader(rosmsg.parse(schema.definition, { ros2: true }));
  return (message) => {
    const decoded = reader.readMessage(message);
    return valueFor(decoded, ros, outOfRange(decoded));
  };
}

/**
 * Values in place of those that JSON does not have. rosbridge refuses null in a list of numbers, and not every server reads
 * `Infinity`. A range above `range_max` has the same meaning: sensor_msgs/LaserScan says that it is to be discarded. For a
 * beam that was not measured it is 0, below `range_min`.
 */
interface Substitutes {
  readonly infinite: number;
  readonly notMeasured: number;
}

function outOfRange(message: unknown): Substitutes {
  const rangeMax = isObject(message) && typeof message.range_max === 'number' ? message.range_max : 0;
  return { infinite: rangeMax + 1, notMeasured: 0 };
}

function valueFor(value: unknown, ros: RosVersion, substitutes: Substitutes): unknown {
  if (value instanceof Uint8Array) {
    // rosbridge writes and reads lists of bytes as base64.
    return Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64');
  }
  if (value instanceof Float32Array || value instanceof Float64Array) {
    return Array.from(value, (number) => finite(number, substitutes));
  }
  if (Array.isArray(value)) return value.map((item: unknown) => valueFor(item, ros, substitutes));
  if (typeof value === 'number') return Number.isFinite(value) ? value : finite(value, substitutes);
  if (!isObject(value)) return value;
  const { sec, nsec = value.nanosec } = value;
  if (typeof sec === 'number' && typeof nsec === 'number') {
    return ros === 1 ? { secs: sec, nsecs: nsec } : { sec, nanosec: nsec };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [name, valueFor(part, ros, substitutes)]),
  );
}

/** Steps in which numbers of lists are written: a tenth of a millimetre. */
const perMetre = 10_000;

function finite(number: number, { infinite, notMeasured }: Substitutes): number {
  if (Number.isNaN(number)) return notMeasured;
  if (!Number.isFinite(number)) return infinite;
  return Math.round(number * perMetre) / perMetre;
}
