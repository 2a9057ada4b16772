import { join } from 'node:path';
import { CoreClient } from '@azimuth/test-support/core-client';
import { expectDone } from '@azimuth/test-support/envelope';
import { Health } from '@azimuth/test-support/health';
import { ScannerFolder } from '@azimuth/test-support/scanner-process';
import { SeededRandom } from '@azimuth/test-support/seeded-random';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { Setup } from '@azimuth/test-support/streams/virtual-scanner';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { beHostile } from './core-socket-input.js';
import { env, extentOf, mostGrowth } from './fuzz-run.js';

const { seed, inputs, seconds, again } = extentOf({ inputs: 10_000, seconds: 30 });
/** Connections of a round, and inputs of each, if it lives as long. */
const perRound = 50;
const perConnection = 4;

/** A hostile core. Some say no hello, some do not answer pings. */
async function hostileCore(address: string, random: SeededRandom): Promise<number> {
  const core = await CoreClient.open(address, {
    greets: random.percent(80),
    version: random.percent(5) ? 2 : 1,
    capabilities: random.between(0, 3),
  });
  core.answers = random.percent(90);
  // Most go on when they have an order.
  if (random.percent(80) && core.answers)
    await until(() => core.orders.length > 0 || core.closed || core.pings === 0);
  let sent = 0;
  for (; sent < perConnection && !core.closed; sent += 1) {
    beHostile(core, random);
    await new Promise((resolve) => setImmediate(resolve));
  }
  core.socket.end();
  core.socket.destroySoon();
  await until(() => core.closed);
  return sent;
}

/** A good core measures: the status is good, and scans arrive. */
async function goodCore(address: string, setup: Setup, receiver: UdpReceiver): Promise<void> {
  receiver.rest();
  const core = await CoreClient.open(address);
  await core.order();
  const begin = core.now;
  let measures = false;
  // It measures until all is well: on a busy machine, some of its scans are late.
  for (let scan = 0; scan < 500 && !core.closed && !measures; scan += 1) {
    const time = begin + BigInt(20_000_000 * scan);
    await until(() => core.now >= time + 20_000_000n);
    core.scan(scan, time);
    measures = scan > 10 && receiver.unread > 20 && (await setup.status()) === 3;
  }
  expect({ measures, refusals: core.refusals }).toEqual({ measures: true, refusals: [] });
  core.socket.destroy();
}

test(
  `${inputs} hostile inputs at the core socket (seed ${seed}): memory stays the same, and a good core measures afterwards`,
  async () => {
    const folder = new ScannerFolder();
    const address = join(folder.folder, 'core.sock');
    const scanner = await folder.start(['--core-socket', address], { env });
    const health = new Health(scanner, (message) => /measuring core/.test(message));
    const client = scanner.client();
    const setup = new Setup(client);
    await setup.profile(8);
    const receiver = await UdpReceiver.open();
    await setup.send('scan', 'UDP', receiver.port);
    const files = health.openFiles;
    const end = performance.now() + seconds * 1000;
    let sent = 0;
    for (let round = 0; sent < inputs && performance.now() < end; round += 1) {
      const random = new SeededRandom(`${seed}/${round}`);
      try {
        for (let each = 0; each < perRound; each += 1) sent += await hostileCore(address, random);
        expectDone(await client.call('checkCredentials'));
        health.check();
        if (round % 10 === 0) await goodCore(address, setup, receiver);
      } catch (error) {
        throw new Error(`${again}: round ${round}\n${scanner.log.slice(-2000)}`, { cause: error });
      }
    }
    console.log(`${again}: ${sent} inputs, memory ${health.memory.slice(-10).map(Math.round).join(' ')} MB`);
    await goodCore(address, setup, receiver);
    await until(() => health.openFiles <= files + 3);
    expect(health.growth, `${again} ${health.memory.map(Math.round).join(' ')}`).toBeLessThan(mostGrowth);
    // A hostile core cannot fill the log. The calls between the rounds are not its own.
    const ofCores = scanner.log.split('\n').filter((line) => !line.includes('"checkCredentials"'));
    expect(ofCores.join('\n').length).toBeLessThan(20_000 + 1000 * seconds);
  },
  seconds * 1000 + 240_000,
);
