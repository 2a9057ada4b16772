import { defineProduct, type OwnVariable, type ProductDefinition, Refusal, status } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { describe, expect, test } from 'vitest';

const { DeviceStatus } = status.members;

async function opened(hooks: Partial<OwnVariable>, others: Partial<ProductDefinition> = {}) {
  const product = defineProduct({
    name: 'acme',
    deviceType: 'acme3xx',
    orderNumber: '1',
    realm: 'Acme',
    releases: { '1.0.0': '2.4.4' },
    groups: { added: { Laser: {} } },
    variables: {
      Power: { group: 'Laser', text: 'x', type: { kind: 'integer' }, write: 'Service', ...hooks },
    },
    ...others,
  });
  const testDevice = await TestDevice.open({ product });
  const power = testDevice.device.served.endpoints.get('Power');
  if (power?.kind !== 'variable') throw new Error('Power is no variable');
  return { testDevice, power, write: (value: unknown) => testDevice.device.write(power, value, atService) };
}

test('a scanner whose product holds a value gives its state no more away', async () => {
  let power = 1;
  const { testDevice, write } = await opened({
    computed: () => power,
    written: (value) => {
      power = Number(value);
    },
  });
  expect(testDevice.device.keep()).toBeDefined();
  await write(5);
  expect([power, testDevice.device.keep()]).toEqual([5, undefined]);
});

const hangs = () => new Promise<never>(() => undefined);

describe('written of a parameter', () => {
  test('that throws leaves the new value, and DeviceStatus 7 until a call succeeds', async () => {
    const { testDevice, power, write } = await opened({
      written: (value) => {
        if (value === 5) throw new Error('the driver is busy');
      },
    });
    await write(5);
    expect(testDevice.device.read(power)).toBe(5);
    expect(testDevice.device.read(DeviceStatus)).toBe(7);
    expect(testDevice.log.errors).toEqual([
      expect.objectContaining({
        message: 'The product could not take the value of Power',
        facts: { reason: 'Error: the driver is busy' },
      }),
    ]);
    await write(6);
    expect(testDevice.device.read(DeviceStatus)).not.toBe(7);
  });

  test('that never ends holds a write for 10 s', async () => {
    const { testDevice, write } = await opened({ written: hangs });
    let isAnswered = false;
    void write(5)?.then(() => {
      isAnswered = true;
    });
    testDevice.clock.advance(9999);
    await promisesSettled();
    expect(isAnswered).toBe(false);
    testDevice.clock.advance(1);
    await promisesSettled();
    await promisesSettled();
    expect(isAnswered).toBe(true);
    expect(testDevice.device.read(DeviceStatus)).toBe(7);
  });
});

describe('written of a computed variable', () => {
  test('that never ends fails after 10 s', async () => {
    const { testDevice, write } = await opened({ computed: () => 1, written: hangs });
    const effect = write(5);
    testDevice.clock.advance(10_000);
    await expect(effect).rejects.toThrow('the hook of Power has not ended within 10 s');
  });
});

describe('refuses', () => {
  test('refuses with status 9 and its reason, also within a restore', async () => {
    const { testDevice, write } = await opened({
      refuses: (value) => (value === 5 ? 'five is odd' : undefined),
    });
    expect(() => write(5)).toThrow(new Refusal('illegalValue', 'Power', 'five is odd'));
    await expect(testDevice.device.features.saving.restore({ Power: 5 })).rejects.toThrow('five is odd');
  });
});

describe('refuses', () => {
  test.each<[undefined | null | false]>([[undefined], [null], [false]])(
    'refuses nothing if it returns %s',
    async (reason) => {
      const { testDevice, power, write } = await opened({ refuses: () => reason });
      await write(5);
      expect(testDevice.device.read(power)).toBe(5);
    },
  );
});

describe('computed', () => {
  test('that returns a promise which rejects leaves the last value, and no error of the process', async () => {
    const { testDevice, power } = await opened({
      computed: () => Promise.reject(new Error('later')),
      written: () => undefined,
    });
    expect(testDevice.device.read(power)).toBe(0);
    await promisesSettled();
    expect(testDevice.device.read(DeviceStatus)).toBe(7);
  });

  test('follows an extension', async () => {
    let fields = 0;
    const { testDevice, power } = await opened({
      computed: () => ++fields,
      written: () => undefined,
      from: ['x/fields'],
      event: true,
    });
    const told: unknown[] = [];
    testDevice.context.announcements.subscribeTo([power], () => void told.push(1));
    const extension = testDevice.device.served.extensions.get('fields');
    if (extension === undefined) throw new Error('no x/fields');
    testDevice.context.announcements.changed([extension]);
    expect(told).toHaveLength(1);
  });
});

describe('a method', () => {
  test('that returns an invalid response fails inside the scanner, not by the request', async () => {
    const { testDevice } = await opened(
      {},
      {
        methods: {
          Calibrate: {
            group: 'Laser',
            text: 'x',
            level: 'open',
            response: { Depth: { kind: 'integer', format: 'uint8' } },
            called: () => ({ Depth: 999 }),
          },
        },
      },
    );
    const method = testDevice.device.served.endpoints.get('Calibrate');
    if (method?.kind !== 'method') throw new Error('Calibrate is no method');
    const failure = await promised(() => testDevice.device.call(method, {}, atService)).catch(
      (error: unknown) => error,
    );
    expect(failure).not.toBeInstanceOf(Refusal);
    expect(String(failure)).toContain('the product returned an invalid response');
  });
});

async function promised<T>(act: () => T | Promise<T>): Promise<T> {
  return await act();
}

describe('start of a product', () => {
  test('that rejects sets DeviceStatus 7', async () => {
    const { testDevice } = await opened({}, { start: () => Promise.reject(new Error('no driver')) });
    await promisesSettled();
    expect(testDevice.device.read(DeviceStatus)).toBe(7);
    expect(testDevice.log.errors).toEqual([
      expect.objectContaining({ message: 'The product could not start' }),
    ]);
  });

  test('may promise the function that stops it', async () => {
    let stops = 0;
    const { testDevice } = await opened({}, { start: () => Promise.resolve(() => void stops++) });
    await promisesSettled();
    await testDevice.device.close();
    expect(stops).toBe(1);
  });

  test('that throws sets DeviceStatus 7, and the scanner works', async () => {
    const { testDevice, power, write } = await opened(
      {},
      {
        start: () => {
          throw new Error('no driver');
        },
      },
    );
    expect(testDevice.device.read(DeviceStatus)).toBe(7);
    await write(3);
    expect(testDevice.device.read(power)).toBe(3);
  });
});
