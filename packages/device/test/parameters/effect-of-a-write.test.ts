import { device as deviceGroup } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const { LocationName } = deviceGroup.members;

test('a write that has taken effect returns nothing', async () => {
  const { device } = await TestDevice.open();
  expect(device.write(LocationName, 'Gate 3', atService)).toBeUndefined();
});

test.each(['resolve', 'reject'] as const)(
  'a write whose effect follows returns a promise until that: %s',
  async (end) => {
    const { device } = await TestDevice.open();
    const { announcements } = device;
    let settle = () => {};
    announcements.subscribeTo([LocationName], () => {
      const effect = new Promise<void>((resolve, reject) => {
        settle = end === 'resolve' ? resolve : () => reject(new Error('it could not be prepared'));
      });
      announcements.takesEffect(effect);
    });
    let isDone = false;
    const effect = device.write(LocationName, 'Gate 3', atService)?.then(() => {
      isDone = true;
    });
    expect(device.read(LocationName)).toBe('Gate 3');
    await Promise.resolve();
    expect(isDone).toBe(false);
    settle();
    await effect;
    expect(isDone).toBe(true);
    expect(announcements.underWay).toBeUndefined();
  },
);
