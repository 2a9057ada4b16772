import { DeviceStatus } from '@azimuth/model';
import { expect, test } from 'vitest';
import { MessageLog } from '../../src/messages/message-log.js';
import { csvOfMessages, shownMessages } from '../../src/messages/message-table.js';

/** Values of a scanner by their names. */
function knowing(values: Readonly<Record<string, unknown>>) {
  return { value: (name: string) => values[name] };
}

const good = { DeviceStatus: DeviceStatus.DS_NormalOperation, temperatureAlarmStatus: false, conditions: [] };
const hot = { ...good, temperatureAlarmStatus: true };

test('a scanner without a problem has no messages', () => {
  const log = new MessageLog();
  log.take(1000, knowing(good));
  expect(log.messages.value).toEqual([]);
});

test('a message has when it began, when it ended, and how often it came', () => {
  const log = new MessageLog();
  log.take(1000, knowing(good));
  log.take(2000, knowing(hot));
  expect(log.messages.value).toMatchObject([{ severity: 'bad', began: 2000, ended: undefined, count: 1 }]);
  log.take(3000, knowing(good));
  expect(log.messages.value).toMatchObject([{ began: 2000, ended: 3000, count: 1 }]);
  log.take(4000, knowing(hot));
  expect(log.messages.value).toMatchObject([{ began: 4000, ended: undefined, count: 2 }]);
});

test('nobody knows since when a message is there that was there at the first look', () => {
  const log = new MessageLog();
  log.take(1000, knowing({ DeviceStatus: good.DeviceStatus }));
  log.take(1010, knowing(hot));
  expect(log.messages.value).toMatchObject([{ began: undefined, ended: undefined }]);
});

test('each reason for a state is a message, with the number of the state', () => {
  const log = new MessageLog();
  const conditions = [
    { Status: DeviceStatus.DS_RecoverableError, Reason: 'failing: measuring core' },
    { Status: DeviceStatus.DS_RecoverableError, Reason: 'unexpected error' },
  ];
  log.take(0, knowing({ ...good, DeviceStatus: DeviceStatus.DS_RecoverableError, conditions }));
  expect(log.messages.value.map(({ source, number, text }) => [source, number, text])).toEqual([
    ['DeviceStatus', 7, 'Failing: measuring core.'],
    ['DeviceStatus', 7, 'Unexpected error.'],
  ]);
});

test('a scanner that gives no reasons has a message about its state', () => {
  const log = new MessageLog();
  log.take(0, knowing({ DeviceStatus: DeviceStatus.DS_SuspendedOperation }));
  expect(log.messages.value).toMatchObject([{ text: 'Not measuring.', number: 4, severity: 'idle' }]);
});

test('dirt is one message, not two', () => {
  const log = new MessageLog();
  log.take(
    0,
    knowing({
      ...good,
      DeviceStatus: DeviceStatus.DS_ServiceRequired,
      conditions: [{ Status: DeviceStatus.DS_ServiceRequired, Reason: 'contamination error' }],
      ContaminationResult: { bWarningActive: false, bErrorActive: true },
    }),
  );
  expect(log.messages.value.map(({ source }) => source)).toEqual(['ContaminationResult']);
});

test('messages that last come first, and are found by words and severity', () => {
  const log = new MessageLog();
  log.take(0, knowing(good));
  log.take(1, knowing({ ...good, DeviceStatus: DeviceStatus.DS_ServiceMode }));
  log.take(2, knowing(hot));
  const all = log.messages.value;
  expect(all.map(({ source }) => source)).toEqual(['temperatureAlarmStatus', 'DeviceStatus']);
  expect(shownMessages(all, { typed: '', severity: 'Warning' }).map(({ number }) => number)).toEqual([2]);
  expect(shownMessages(all, { typed: 'TEMPERATURE hot', severity: undefined })).toHaveLength(1);
  expect(shownMessages(all, { typed: 'hot', severity: 'Warning' })).toHaveLength(0);
});

test('the table for spreadsheets has a line for each message', () => {
  const log = new MessageLog();
  log.take(0, knowing(good));
  log.take(1000, knowing({ ...good, DeviceStatus: DeviceStatus.DS_ServiceMode }));
  const [, line] = csvOfMessages(log.messages.value).split('\r\n');
  expect(line).toBe(
    '1970-01-01T00:00:01.000Z,,Warning,Device,DeviceStatus,2,1,Service mode.,The scanner is being serviced and does not measure.',
  );
});
