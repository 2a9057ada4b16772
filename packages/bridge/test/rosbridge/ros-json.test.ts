import { encodeLaserScan } from '@azimuth/telegrams/ros2';
import { describe, expect, it } from 'vitest';
import { messageSchemas } from '../../src/messages/index.js';
import { jsonOf, typeName } from '../../src/rosbridge/ros-json.js';

const scan = encodeLaserScan({
  stamp: 1_700_000_000_123_456,
  frameId: 'gate',
  angleMin: -1,
  angleMax: 1,
  angleIncrement: 0.5,
  timeIncrement: 0,
  scanTime: 0.05,
  rangeMin: 0.05,
  rangeMax: 25,
  ranges: Float32Array.of(1.234_56, Number.POSITIVE_INFINITY, Number.NaN, 0.2, 25),
  intensities: Float32Array.of(0, 0.5, 1, 1.05, 0),
});

describe('messages for rosbridge', () => {
  it('have ranges that are to be discarded in place of numbers that JSON does not have', () => {
    const json = JSON.parse(JSON.stringify(jsonOf(messageSchemas.laserScan, 2)(scan)));
    expect(json.ranges).toEqual([1.2346, 26, 0, 0.2, 25]);
    expect(json.intensities).toEqual([0, 0.5, 1, 1.05, 0]);
  });

  it('name types and parts of stamps as the ROS of the robot does', () => {
    const headerOf = (ros: 1 | 2) => jsonOf(messageSchemas.laserScan, ros)(scan);
    expect(headerOf(1)).toMatchObject({
      header: { stamp: { secs: 1_700_000_000, nsecs: 123_456_000 }, frame_id: 'gate' },
    });
    expect(headerOf(2)).toMatchObject({
      header: { stamp: { sec: 1_700_000_000, nanosec: 123_456_000 }, frame_id: 'gate' },
    });
    expect([1, 2].map((ros) => typeName(messageSchemas.imu, ros === 1 ? 1 : 2))).toEqual([
      'sensor_msgs/Imu',
      'sensor_msgs/msg/Imu',
    ]);
  });
});
