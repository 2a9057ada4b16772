import type { Level, Method, Variable } from '@azimuth/model';
import { statusOfAct, TestDevice } from '@azimuth/test-support/test-device';
import { beforeEach, expect, test } from 'vitest';

let testDevice: TestDevice;

beforeEach(async () => {
  testDevice = await TestDevice.open();
});

function variable(name: string): Variable<unknown> {
  const endpoint = testDevice.device.served.endpoints.get(name);
  if (endpoint?.kind !== 'variable') throw new TypeError(`${name} is not a variable`);
  return endpoint;
}

function method(name: string): Method<unknown, unknown> {
  const endpoint = testDevice.device.served.endpoints.get(name);
  if (endpoint?.kind !== 'method') throw new TypeError(`${name} is not a method`);
  return endpoint;
}

test('a write of a read-only variable is status 8 for every level, and of a writable one status 4 below its level', () => {
  const { device } = testDevice;
  for (const level of ['Run', 'Maintenance', 'AuthorizedClient', 'Service'] satisfies Level[]) {
    expect(statusOfAct(() => device.write(variable('DeviceIdent'), 'Gate 3', { level }))).toBe('readOnly');
    const isHighEnough = level === 'AuthorizedClient' || level === 'Service';
    const expected = isHighEnough ? 'ok' : 'accessDenied';
    expect(
      statusOfAct(() => device.write(variable('LocationName'), 'Gate 3', { level })),
      level,
    ).toBe(expected);
    expect(
      statusOfAct(() => device.call(method('WriteEeprom'), undefined, { level })),
      level,
    ).toBe(expected);
  }
});

test('the level is checked before the value of a write and the request of a call', () => {
  const { device } = testDevice;
  const caller = { level: 'Run' } as const;
  expect(statusOfAct(() => device.write(variable('LocationName'), 7, caller))).toBe('accessDenied');
  expect(statusOfAct(() => device.call(method('WriteEeprom'), 7, caller))).toBe('accessDenied');
  const unread = () => {
    throw new TypeError('it was read');
  };
  expect(statusOfAct(() => device.write(variable('LocationName'), unread, caller))).toBe('accessDenied');
  expect(statusOfAct(() => device.call(method('WriteEeprom'), unread, caller))).toBe('accessDenied');
});
