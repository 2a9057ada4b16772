import { RosbridgeBridge, type RosbridgeBridgeOptions } from '@azimuth/bridge/rosbridge';
import { type BridgedScanner, receiveLiveScans } from '@azimuth/bridge/scanners';
import { Scanner } from '@azimuth/client';
import { RosbridgeServer } from '@azimuth/test-support/rosbridge-server';
import { startScanner } from '@azimuth/testing';
import { describe, expect, it, onTestFinished } from 'vitest';

const scanTopic = '/gate/scan/all_points_echo0';
const cloudTopic = '/gate/cloud/all_points';

async function publishing(server: RosbridgeServer, options: Pick<RosbridgeBridgeOptions, 'ros'>) {
  const scanner = await startScanner({ clock: 'real', scene: 'gate' });
  const client = new Scanner({ url: scanner.url });
  let receiving = 0;
  const bridged: BridgedScanner = {
    name: 'gate',
    title: 'gate',
    scanner: client,
    login: undefined,
    receive: async (stream, means) => {
      if (stream !== 'scan') throw new Error('this scanner sends no IMU data');
      receiving++;
      await receiveLiveScans(client, means).finally(() => {
        receiving--;
      });
    },
  };
  const lines: string[] = [];
  const bridge = new RosbridgeBridge({
    url: server.url,
    scanners: [bridged],
    publish: ['scan', 'cloud', 'imu', 'tf'],
    onLine: (line) => lines.push(line),
    ...options,
  });
  const stop = new AbortController();
  const running = bridge.run(stop.signal);
  const end = async () => {
    stop.abort();
    await running;
  };
  onTestFinished(async () => {
    await end();
    await scanner.close();
  });
  return { lines, end, receiving: () => receiving };
}

describe('a bridge to rosbridge', () => {
  it.each([1, 2] as const)('publishes messages of ROS %i that a strict server accepts', async (ros) => {
    const server = await RosbridgeServer.open(ros);
    const { end } = await publishing(server, { ros });
    for (const topic of [scanTopic, cloudTopic, '/tf_static'])
      await expect.poll(() => server.of(topic).length, { message: topic }).toBeGreaterThan(0);
    expect(server.mistakes).toEqual([]);
    const part = ros === 1 ? '' : 'msg/';
    expect([...server.advertised]).toEqual([
      [scanTopic, { type: `sensor_msgs/${part}LaserScan`, latch: false }],
      [cloudTopic, { type: `sensor_msgs/${part}PointCloud2`, latch: false }],
      ['/gate/imu/data', { type: `sensor_msgs/${part}Imu`, latch: false }],
      ['/tf_static', { type: `tf2_msgs/${part}TFMessage`, latch: true }],
    ]);

    const [scan] = server.of(scanTopic);
    const ranges = numbersIn(scan?.msg.ranges);
    const rangeMax = Number(scan?.msg.range_max);
    // The gate is open to one side: some beams detect nothing.
    expect(ranges.filter((range) => range > rangeMax).length).toBeGreaterThan(0);
    expect(ranges.filter((range) => range > rangeMax).every((range) => range === rangeMax + 1)).toBe(true);
    expect(ranges.filter((range) => range <= rangeMax).length).toBeGreaterThan(100);
    expect(ranges.every((range) => range > rangeMax || Math.round(range * 1e4) / 1e4 === range)).toBe(true);
    await end();
    await expect.poll(() => server.unadvertised.length).toBe(4);
  });

  it('connects again to a server that was killed, and receives nothing meanwhile', async () => {
    const first = await RosbridgeServer.open(2);
    const { receiving, lines } = await publishing(first, { ros: 2 });
    await expect.poll(() => first.of(scanTopic).length).toBeGreaterThan(0);
    const { port } = first;
    await first.close();
    await expect.poll(receiving).toBe(0);
    const second = await RosbridgeServer.open(2, port);
    await expect.poll(() => second.of(scanTopic).length).toBeGreaterThan(0);
    expect([second.mistakes, receiving()]).toEqual([[], 1]);
    expect(lines.join('\n')).toContain('the connection was lost');
  });
});

function numbersIn(list: unknown): readonly number[] {
  const items: unknown[] = Array.isArray(list) ? list : [];
  return items.filter((item) => typeof item === 'number');
}
