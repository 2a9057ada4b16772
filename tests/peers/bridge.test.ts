import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { FoxgloveViewer } from '@azimuth/test-support/foxglove-viewer';
import { freePort } from '@azimuth/test-support/free-port';
import { RosbridgeServer } from '@azimuth/test-support/rosbridge-server';
import { startScanner, type TestScanner } from '@azimuth/testing';
import { expect, onTestFinished, test } from 'vitest';

const bin = fileURLToPath(new URL('../../packages/cli/bin/azimuth.js', import.meta.url));
const ros1 = fileURLToPath(new URL('../support/ros1-messages.py', import.meta.url));

/** The program as it is installed, with the login of Service. */
function bridge(scanner: TestScanner, ...words: readonly string[]): ChildProcess {
  const child = spawn(process.execPath, [bin, 'bridge', ...words, '--device', scanner.url], {
    stdio: 'ignore',
    env: { ...process.env, AZIMUTH_PASSWORD: 'servicelevel' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

async function ended(child: ChildProcess, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
}

async function scannerThatRuns(): Promise<TestScanner> {
  const scanner = await startScanner({ clock: 'real', scene: 'gate' });
  onTestFinished(() => scanner.close());
  return scanner;
}

test('ROS 1 itself reads what a bridge publishes, also after the bridge was killed', async () => {
  const scanner = await scannerThatRuns();
  const server = await RosbridgeServer.open(1);
  const words = ['rosbridge', server.url, '--ros', '1', '--aim'];
  const first = bridge(scanner, ...words);
  await expect.poll(() => server.published.length).toBeGreaterThan(0);
  await ended(first, 'SIGKILL');
  server.published.length = 0;
  const second = bridge(scanner, ...words);
  const topics = ['/scan/all_points_echo0', '/cloud/all_points', '/imu/data', '/tf_static'];
  for (const topic of topics)
    await expect.poll(() => server.of(topic).length, { message: topic }).toBeGreaterThan(0);
  await ended(second, 'SIGINT');
  expect(server.mistakes).toEqual([]);

  const input = topics.map((topic) => JSON.stringify(server.of(topic)[0])).join('\n');
  // Debian installs the messages for its own Python.
  const { stdout, stderr, status } = spawnSync('/usr/bin/python3', [ros1], { input, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const read = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(read).toMatchObject([
    // The sums of the definitions, by which nodes of ROS 1 know that they mean the same type.
    { type: 'sensor_msgs/LaserScan', md5: '90c7ef2dc6895d81024acba2ac42f369' },
    { type: 'sensor_msgs/PointCloud2', md5: '1158d486dd51d683ce2f1be655c3c181', points: 0 },
    { type: 'sensor_msgs/Imu', md5: '6a62c6daae103f4ff57a132d6f95cec2' },
    { type: 'tf2_msgs/TFMessage' },
  ]);
  const ranges: unknown[] = read[0].ranges;
  expect(Math.max(...ranges.map(Number).filter((range) => range < 100))).toBeGreaterThan(3);
});

test('a viewer finds a bridge again that was killed, and the scanner sends elsewhere again at its end', async () => {
  const scanner = await scannerThatRuns();
  const before = await scanner.client.read('ScanDataEthSettings');
  const port = await freePort();
  const words = ['foxglove', '--aim', '--port', String(port)];
  const viewerOf = () =>
    expect.poll(() => FoxgloveViewer.open(`ws://127.0.0.1:${port}`).catch(() => undefined)).toBeDefined();
  const first = bridge(scanner, ...words);
  await viewerOf();
  await ended(first, 'SIGKILL');
  const second = bridge(scanner, ...words);
  await viewerOf();
  const viewer = await FoxgloveViewer.open(`ws://127.0.0.1:${port}`, 'foxglove.sdk.v1');
  await expect.poll(() => viewer.channels.has('/imu/data')).toBe(true);
  for (const topic of ['/imu/data', '/scan/all_points_echo0', '/cloud/all_points']) viewer.subscribe(topic);
  for (const topic of ['/imu/data', '/scan/all_points_echo0', '/cloud/all_points'])
    await expect.poll(() => viewer.of(topic).length, { message: topic }).toBeGreaterThan(3);
  expect(await scanner.client.read('ScanDataEthSettings')).not.toEqual(before);
  viewer.client.setParameters([{ name: 'LocationName', value: 'Gate 3' }], 'set');
  await expect.poll(() => viewer.answers.map(({ id }) => id)).toEqual(['set']);
  expect(await scanner.client.read('LocationName')).toBe('Gate 3');
  await ended(second, 'SIGINT');
  expect(await scanner.client.read('ScanDataEthSettings')).toEqual(before);
});
