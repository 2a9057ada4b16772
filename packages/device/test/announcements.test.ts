import { dateAndSystemTime, operatingData, status } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Announcements } from '../src/announcements.js';

const { DeviceStatus, SCdevicestate } = status.members;
const { LSPdatetime } = dateAndSystemTime.members;
const { CurrentTempDev } = operatingData.members;

test('who follows a variable hears of its changes and of no others, until he stops', () => {
  const announcements = new Announcements();
  let heard = 0;
  const stop = announcements.follow(DeviceStatus, () => heard++);
  announcements.changed([SCdevicestate, DeviceStatus]);
  announcements.changed([CurrentTempDev]);
  expect(heard).toBe(1);
  stop();
  announcements.changed([DeviceStatus]);
  expect(heard).toBe(1);
});

test('what changes all the time is put to work with its first follower and stopped with the last', () => {
  const announcements = new Announcements();
  const reported: string[] = [];
  announcements.whileFollowed(LSPdatetime, () => {
    reported.push('begun');
    return () => reported.push('stopped');
  });
  announcements.follow(DeviceStatus, () => undefined);
  expect(reported).toEqual([]);
  const listener = () => undefined;
  const one = announcements.follow(LSPdatetime, listener);
  const other = announcements.follow(LSPdatetime, listener);
  one();
  one();
  expect(reported).toEqual(['begun']);
  other();
  expect(reported).toEqual(['begun', 'stopped']);
  announcements.follow(LSPdatetime, listener);
  expect(reported).toEqual(['begun', 'stopped', 'begun']);
});

test('a follower that comes before what is put to work for him is not forgotten', () => {
  const announcements = new Announcements();
  let begun = 0;
  announcements.follow(LSPdatetime, () => undefined);
  announcements.whileFollowed(LSPdatetime, () => {
    begun++;
    return () => undefined;
  });
  expect(begun).toBe(1);
});

test('a follower that throws keeps nothing from the others', () => {
  const errors: unknown[] = [];
  const announcements = new Announcements((error) => errors.push(error));
  let heard = 0;
  announcements.follow(DeviceStatus, () => {
    throw new Error('no');
  });
  announcements.follow(DeviceStatus, () => heard++);
  announcements.subscribe(() => heard++);
  announcements.changed([DeviceStatus]);
  expect(heard).toBe(2);
  expect(errors).toHaveLength(1);
});

test('a value that changes all the time is announced to its followers only', () => {
  const announcements = new Announcements();
  const heard: boolean[] = [];
  let changes = 0;
  announcements.follow(LSPdatetime, (isRoutine) => heard.push(isRoutine));
  announcements.follow(DeviceStatus, () => heard.push(false));
  announcements.subscribe(() => changes++);
  announcements.changedRoutinely(LSPdatetime);
  expect([heard, changes]).toEqual([[true], 0]);
  announcements.changed([LSPdatetime]);
  expect([heard, changes]).toEqual([[true, false], 1]);
});

test('a follower that throws does not keep such a value from the others', () => {
  const errors: unknown[] = [];
  const announcements = new Announcements((error) => errors.push(error));
  let heard = 0;
  announcements.follow(DeviceStatus, () => {
    throw new Error('no');
  });
  announcements.follow(DeviceStatus, () => heard++);
  announcements.changedRoutinely(DeviceStatus);
  expect([heard, errors.length]).toEqual([1, 1]);
});

test('who subscribes to some variables hears once of a change of one or more of them, and of no other', () => {
  const announcements = new Announcements();
  const heard: (readonly unknown[])[] = [];
  const stop = announcements.subscribeTo([DeviceStatus, SCdevicestate], (changed) => heard.push(changed));
  announcements.changed([DeviceStatus]);
  announcements.changed([CurrentTempDev]);
  announcements.changed([CurrentTempDev, SCdevicestate, DeviceStatus]);
  expect(heard).toEqual([[DeviceStatus], [CurrentTempDev, SCdevicestate, DeviceStatus]]);
  stop();
  announcements.changed([DeviceStatus]);
  expect(heard).toHaveLength(2);
});

test('subscribers are called in the order in which they subscribed', () => {
  const announcements = new Announcements();
  const reported: string[] = [];
  announcements.subscribeTo([DeviceStatus], () => reported.push('first'));
  announcements.subscribe(() => reported.push('second'));
  announcements.changed([DeviceStatus]);
  announcements.subscribeTo([DeviceStatus], () => reported.push('third'));
  announcements.changed([DeviceStatus]);
  expect(reported).toEqual(['first', 'second', 'first', 'second', 'third']);
});

test('a subscriber that an earlier one ends is not called any more', () => {
  const announcements = new Announcements();
  let heard = 0;
  announcements.subscribe(() => stop());
  const stop = announcements.subscribeTo([DeviceStatus], () => heard++);
  announcements.changed([DeviceStatus]);
  expect(heard).toBe(0);
});
