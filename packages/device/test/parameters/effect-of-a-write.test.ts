import { device as deviceGroup, ethernet } from '@azimuth/model';
import { atService, TestDevice } from '@azimuth/test-support/test-device';
import { expect, test } from 'vitest';

const { LocationName } = deviceGroup.members;
const { EtherIPGateAddress } = ethernet.members;

test('a write that has taken effect returns nothing', async () => {
  const { device } = await TestDevice.open();
  expect(device.write(LocationName, 'Gate 3', atService)).toBeUndefined();
});

test.each(['resolve', 'reject'] as const)(
  'a write whose effect follows returns a promise until that: %s',
  async (end) => {
    const { device, context } = await TestDevice.open();
    const { announcements } = context;
    let finish = () => {};
    announcements.subscribeTo(
      [LocationName],
      () =>
        new Promise<void>((resolve, reject) => {
          finish = end === 'resolve' ? resolve : () => reject(new Error('it could not be prepared'));
        }),
    );
    let isDone = false;
    const effect = device.write(LocationName, 'Gate 3', atService)?.then(() => {
      isDone = true;
    });
    expect(device.read(LocationName)).toBe('Gate 3');
    await Promise.resolve();
    expect(isDone).toBe(false);
    expect(announcements.pendingEffects).toBeInstanceOf(Promise);
    finish();
    await effect;
    expect(isDone).toBe(true);
    expect(announcements.pendingEffects).toBeUndefined();
  },
);

test('a write does not wait for the effect of another one', async () => {
  const { device, context } = await TestDevice.open();
  context.announcements.subscribeTo([LocationName], () => new Promise<void>(() => {}));
  expect(device.write(LocationName, 'Gate 3', atService)).toBeInstanceOf(Promise);
  expect(device.write(EtherIPGateAddress, [192, 168, 0, 254], atService)).toBeUndefined();
});
