import { readFileSync } from 'node:fs';
import { MemoryStorage, type PinLevel, type Sensor, SystemRandom, VirtualClock } from '@azimuth/device';
import { DeviceStatus, inputsAndOutputs } from '@azimuth/model';
import { ScannerService } from '@azimuth/server';
import { Client } from '@azimuth/test-support/client';
import { FlatCore } from '@azimuth/test-support/flat-core';
import { freePort } from '@azimuth/test-support/free-port';
import { number, object } from '@azimuth/test-support/json';
import { configuration } from '@azimuth/test-support/port-configuration';
import { until } from '@azimuth/test-support/waiting';
import { expect, it, onTestFinished } from 'vitest';
import { Board, type Driver } from '../../examples/board.js';

const text = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

/** The driver of a board that writes down what it is told. */
class Recorder implements Driver {
  temperature = 30;
  count = 0;
  levels = 0;
  readonly driven = new Map<number, PinLevel>();
  readonly told: string[] = [];
  changed: ((sensor?: Sensor) => void) | undefined;

  celsius(): number {
    return this.temperature;
  }

  ticks(): number {
    return this.count;
  }

  pins(): number {
    return this.levels;
  }

  async drive(pin: number, level: PinLevel): Promise<void> {
    this.driven.set(pin, level);
  }

  light(color: string, isBlinking: boolean): void {
    this.told.push(isBlinking ? `${color} blinks` : color);
  }

  buzz(seconds: number): void {
    this.told.push(`buzzes for ${seconds} s`);
  }

  async restart(): Promise<void> {
    this.told.push('restarts');
  }

  listen(changed: (sensor?: Sensor) => void): () => void {
    this.changed = changed;
    return () => {
      this.changed = undefined;
    };
  }
}

async function started() {
  const driver = new Recorder();
  const clock = new VirtualClock();
  const service = await ScannerService.start({
    device: {
      identity: { serialNumber: '23450001' },
      random: new SystemRandom(),
      storage: new MemoryStorage(),
      variant: 'full',
      core: new FlatCore(),
    },
    clock,
    hardware: Object.assign(new Board(driver), { log: { info() {}, warn() {}, error() {} } }),
    network: { address: '127.0.0.1' },
    web: { port: await freePort(), maxConnections: 100 },
  });
  onTestFinished(() => service.close());
  const client = new Client(number(service.ports.http), { keepAlive: true });
  onTestFinished(() => client.close());
  return { driver, clock, service, client };
}

it('drives a pin by a method, and follows another pin, over the network', async () => {
  const { driver, clock, client } = await started();
  const { PortConfiguration, OutputState, InputState } = inputsAndOutputs.members;
  const settings = configuration({ 1: { PortType: 0 }, 2: { PortType: 1, Sources: ['SC02'] } });
  await client.write(PortConfiguration.name, settings);
  await until(() => driver.driven.get(1) === 'open');
  expect(driver.driven.get(0)).toBe('open');
  await client.call('SetOutput', { Output: 2, Value: 1 });
  await until(() => driver.driven.get(1) === 'high');
  expect(JSON.stringify(await client.value(OutputState.name))).toContain('"eIOState":1');
  driver.levels = 0b1;
  driver.changed?.('inputs');
  clock.advance(20);
  const state = object(await client.value(InputState.name));
  expect(JSON.stringify(state.aDigitalIn).startsWith('[{"IOState":{"eIOState":1}}')).toBe(true);
});

it('shows the state by its lamp, buzzes, and restarts as the method says', async () => {
  const { driver, clock, service, client } = await started();
  expect(driver.told.splice(0).at(-1)).toBe('green');
  await client.call('FindMe', { uiDuration: 7 });
  expect(driver.told.splice(0)).toContain('buzzes for 7 s');
  driver.temperature = 90;
  driver.changed?.();
  expect(await client.value('DeviceStatus')).toBe(DeviceStatus.DS_RecoverableError);
  expect(driver.told.splice(0)).toContain('red');
  driver.temperature = 30;
  driver.changed?.();
  expect(await client.value('DeviceStatus')).toBe(DeviceStatus.DS_NormalOperation);
  for (const [method, request, restarts] of [
    ['SoftReset', { ProcessorNbr: 0 }, false],
    ['RebootDevice', undefined, true],
  ] as const) {
    driver.told.length = 0;
    await client.call(method, request);
    const { lifecycle } = service.device;
    await until(() => lifecycle.phase !== 'up');
    clock.advance(0);
    await until(() => lifecycle.phase === 'up' && service.ports.http !== null);
    expect(driver.told.includes('restarts')).toBe(restarts);
  }
});

it('is what the documentation prints', () => {
  const [, printed] = /```ts\n([\s\S]*?)```/.exec(text('docs/hardware.md')) ?? [];
  expect(printed).toBe(text('examples/board.ts'));
});
