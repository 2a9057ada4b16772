import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from '@azimuth/test-support/client';
import { until } from '@azimuth/test-support/waiting';
import { expect, onTestFinished, test } from 'vitest';

const program = fileURLToPath(new URL('careless-core.mjs', import.meta.url));

/** Runs the program; what it says of errors is kept. */
async function careless(...words: readonly string[]) {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let out = '';
  let told = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    told += text;
  });
  await until(() => out.includes('\n') || child.exitCode !== null);
  expect(child.exitCode, told).toBe(null);
  return { client: new Client(Number(out)), lines: () => told.split('\n').filter((line) => line !== '') };
}

/** Waits until so many errors have come of what fails every 20 ms. */
async function metric(client: Client, name: string): Promise<number> {
  const { text } = await client.send({ method: 'GET', path: '/metrics' });
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1] ?? 0);
}

test('a core that throws on the clock of the scanner, and one that returns invalid scans, are each logged once', async () => {
  const { client, lines } = await careless();
  await until(async () => (await metric(client, 'azimuth_scans_total')) > 20);
  expect(await client.value('DeviceStatus')).toBe(7);
  expect(await metric(client, 'azimuth_unexpected_errors_total\\{where="process"\\}')).toBe(0);
  const told = lines();
  expect(told.filter((line) => line.includes('no laser at the clock of the scanner'))).toHaveLength(1);
  expect(told.filter((line) => line.includes('cannot be used'))).toHaveLength(1);
  expect(told).toHaveLength(2);
});

test('a core that throws in a timer of node is the business of the last resort', async () => {
  const { client, lines } = await careless('timers of node');
  const name = 'azimuth_unexpected_errors_total\\{where="process"\\}';
  await until(async () => (await metric(client, name)) > 10);
  expect(await client.value('DeviceStatus')).toBe(7);
  expect(lines().filter((line) => line.includes('no laser at a timer of node'))).toHaveLength(1);
});
