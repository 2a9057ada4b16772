import { device as deviceGroup, operatingData, status } from '@azimuth/model';
import { expect, test } from 'vitest';
import { Bench } from '../../../../tests/support/device-test-bench.js';
import { settled } from '../../../../tests/support/waiting.js';
import { GoingDown } from '../../src/index.js';
import { decodeDocument, encodeDocument } from '../../src/storage/document.js';

const { LocationName } = deviceGroup.members;
const { PowerOnCnt, DailyOpHours, LastParaTime } = operatingData.members;
const { DeviceStatus, SCdevicestate } = status.members;
const parameters = 'parameters.json';

function name(bench: Bench, location: string): void {
  bench.device.parameters.change((change) => change.set(LocationName, location));
}

/** Changes a stored document as a person with an editor would: without the checksum. */
function edit(bench: Bench, document: string, changed: Readonly<Record<string, unknown>>): void {
  const content = decodeDocument(bench.storage.documents.get(document) ?? new Uint8Array());
  const edited = { format: 1, ...content, ...changed };
  bench.storage.documents.set(document, Buffer.from(JSON.stringify(edited)));
}

function states(bench: Bench) {
  return [bench.device.read(DeviceStatus), bench.device.read(SCdevicestate)];
}

test('SoftReset answers first, then goes down, and comes back with what was stored', async () => {
  const bench = await Bench.open();
  name(bench, 'stored');
  await bench.respond('WriteEeprom');
  name(bench, 'working');
  const { response, afterwards } = await bench.call('SoftReset', { ProcessorNbr: 0 });
  expect(response).toEqual({});
  expect(bench.device.lifecycle.phase).toBe('up');
  afterwards?.();
  expect(bench.device.lifecycle.phase).toBe('down');
  await bench.boot();
  expect(bench.device.read(LocationName)).toBe('stored');
});

test('RebootDevice stores before it answers, and comes back with what was working', async () => {
  const bench = await Bench.open();
  bench.clock.advance(60_000);
  name(bench, 'working');
  const { afterwards } = await bench.call('RebootDevice');
  expect((await bench.afterPowerCut()).device.read(LocationName)).toBe('working');
  expect(bench.device.read(LastParaTime)).toBe('12:01');
  afterwards?.();
  await bench.boot();
  expect(bench.device.read(LocationName)).toBe('working');
});

test('RebootDevice that cannot store answers status 3 and stays up', async () => {
  const bench = await Bench.open();
  name(bench, 'working');
  bench.storage.fail(parameters);
  await expect(bench.call('RebootDevice')).rejects.toMatchObject({ status: 'internalServerError' });
  expect(bench.device.lifecycle.phase).toBe('up');
  expect(bench.device.read(LocationName)).toBe('working');
});

test('from RebootDevice on no change is taken, until it has failed', async () => {
  const bench = await Bench.open();
  name(bench, 'before');
  const storing = bench.storage.delay(parameters);
  const rebooting = bench.call('RebootDevice');
  await settled();
  expect(() => name(bench, 'while it saves')).toThrow(GoingDown);
  storing.open();
  const { afterwards } = await rebooting;
  expect(() => name(bench, 'after the save')).toThrow(GoingDown);
  afterwards?.();
  expect(() => name(bench, 'while it is down')).toThrow(GoingDown);
  await bench.boot();
  expect(bench.device.read(LocationName)).toBe('before');
  bench.storage.fail(parameters, { once: true });
  await expect(bench.call('RebootDevice')).rejects.toMatchObject({ status: 'internalServerError' });
  name(bench, 'after it has failed');
  expect(bench.device.read(LocationName)).toBe('after it has failed');
});

test('of two RebootDevice at once, one that fails opens no door while the other one saves', async () => {
  const bench = await Bench.open();
  name(bench, 'before');
  bench.storage.fail(parameters, { once: true });
  const failing = bench.call('RebootDevice');
  const rebooting = bench.call('RebootDevice');
  await expect(failing).rejects.toMatchObject({ status: 'internalServerError' });
  expect(() => name(bench, 'between')).toThrow(GoingDown);
  (await rebooting).afterwards?.();
  await bench.boot();
  expect(bench.device.read(LocationName)).toBe('before');
});

test('from SoftReset on no change is taken', async () => {
  const bench = await Bench.open();
  const { afterwards } = await bench.call('SoftReset', { ProcessorNbr: 0 });
  expect(() => name(bench, 'too late')).toThrow(GoingDown);
  afterwards?.();
  await bench.boot();
  name(bench, 'up again');
});

test('a reboot that a power cycle has overtaken comes to nothing', async () => {
  const bench = await Bench.open();
  const { afterwards } = await bench.call('RebootDevice');
  bench.device.powerCycle();
  await bench.boot();
  name(bench, 'up again');
  afterwards?.();
  expect(bench.device.lifecycle.phase).toBe('up');
  expect(bench.device.read(LocationName)).toBe('up again');
});

test('a power cycle loses what was not stored, and counts; a reboot does not count', async () => {
  const bench = await Bench.open();
  name(bench, 'working');
  await bench.reboot();
  expect(bench.device.read(LocationName)).not.toBe('working');
  expect(bench.device.read(PowerOnCnt)).toBe(1);
  name(bench, 'working');
  bench.clock.advance(3_600_000);
  bench.device.powerCycle();
  await bench.boot();
  expect(bench.device.read(LocationName)).not.toBe('working');
  expect(bench.device.read(PowerOnCnt)).toBe(2);
  expect(bench.device.read(DailyOpHours)).toBe(0);
});

test('a power cut in the middle of a save leaves the old parameters whole', async () => {
  const bench = await Bench.open();
  name(bench, 'old');
  await bench.respond('WriteEeprom');
  name(bench, 'new');
  bench.storage.die(parameters);
  void bench.respond('WriteEeprom');
  await settled();
  const after = await bench.afterPowerCut();
  expect(after.device.read(LocationName)).toBe('old');
  expect(states(after)).toEqual([3, 1]);
});

test('a boot reads the disk again', async () => {
  const bench = await Bench.open();
  edit(bench, parameters, { parameters: { LocationName: 'by hand' }, webserverEnabled: false });
  await bench.reboot();
  expect(bench.device.read(LocationName)).toBe('by hand');
  expect(bench.device.state.content.webserverEnabled).toBe(false);
});

test('a boot announces what it has changed', async () => {
  const bench = await Bench.open();
  name(bench, 'working');
  const announced: string[] = [];
  bench.device.announcements.subscribe((changed) => announced.push(...changed.map((one) => one.name)));
  await bench.reboot();
  expect(announced).toContain('LocationName');
  expect(announced).not.toContain('EtherIPAddress');
});

test('a boot that comes upon a switch being stored knows it, and does not undo it later', async () => {
  const bench = await Bench.open();
  const writing = bench.storage.delay(parameters);
  const turning = bench.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  const reading = bench.storage.delayRead(parameters);
  bench.device.lifecycle.reboot();
  const booted = bench.boot();
  await settled();
  writing.open();
  await settled();
  reading.open();
  await Promise.all([turning, booted]);
  await bench.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  const { device } = await bench.afterPowerCut();
  expect(device.state.content.userLevels).toMatchObject({ Maintenance: true, AuthorizedClient: true });
});

test('a boot that comes upon a save comes back with what was saved', async () => {
  const bench = await Bench.open();
  name(bench, 'saved');
  const writing = bench.storage.delay(parameters);
  const save = bench.respond('WriteEeprom');
  bench.device.powerCycle();
  const booted = bench.boot();
  await settled();
  writing.open();
  await Promise.all([save, booted]);
  const { device } = bench;
  expect(device.parameters.stored(LocationName)).toBe('saved');
  expect(device.read(LocationName)).toBe('saved');
});

test('a stored value that is not allowed is told in the log, and factory state takes its place', async () => {
  const bench = await Bench.open();
  edit(bench, parameters, { parameters: { LocationName: 'x'.repeat(33), EtherIPMask: [255, 255, 0, 0] } });
  const after = await bench.afterPowerCut();
  expect(after.device.read(LocationName)).toBe(after.device.parameters.layer('factory').LocationName);
  expect(after.device.parameters.layer('working')).toMatchObject({ EtherIPMask: [255, 255, 0, 0] });
  expect(after.log.lines).toContainEqual({
    severity: 'warn',
    message: expect.stringContaining('not allowed'),
    facts: { fault: 'LocationName: expected 0 to 32 characters, got 33' },
  });
});

test('parameters that cannot be read are set aside, and the scanner starts at defaults with status 7', async () => {
  const bench = await Bench.open();
  bench.storage.documents.set(parameters, Buffer.from('{"format":1'));
  const after = await bench.afterPowerCut();
  expect(states(after)).toEqual([7, 2]);
  expect(after.device.read(LocationName)).toBe(after.device.parameters.layer('factory').LocationName);
  expect(after.log.errors).toHaveLength(1);
  expect(after.log.errors[0]?.facts).toMatchObject({ document: parameters });
  const aside = String(after.log.errors[0]?.facts.setAside);
  expect(Buffer.from(after.storage.documents.get(aside) ?? '').toString()).toBe('{"format":1');
  expect(after.storage.documents.has(parameters)).toBe(false);
});

test('status 7 stays over boots and restarts until parameters are stored', async () => {
  const bench = await Bench.open();
  bench.storage.documents.set(parameters, Buffer.from('not JSON'));
  await bench.reboot();
  expect(states(bench)).toEqual([7, 2]);
  await bench.reboot();
  expect(states(bench)).toEqual([7, 2]);
  const restarted = await bench.afterPowerCut();
  expect(states(restarted)).toEqual([7, 2]);
  await restarted.respond('WriteEeprom');
  expect(states(restarted)).toEqual([3, 1]);
  expect(states(await restarted.afterPowerCut())).toEqual([3, 1]);
});

test('parameters that are there again at a boot end status 7', async () => {
  const bench = await Bench.open();
  const whole = bench.storage.documents.get(parameters) ?? new Uint8Array();
  bench.storage.documents.delete(parameters);
  await bench.reboot();
  expect(states(bench)).toEqual([7, 2]);
  bench.storage.documents.set(parameters, whole);
  await bench.reboot();
  expect(states(bench)).toEqual([3, 1]);
});

test('parameters missing from a folder that was used are a fault, in a new one they are made', async () => {
  const bench = await Bench.open();
  expect(states(bench)).toEqual([3, 1]);
  expect(bench.storage.documents.has(parameters)).toBe(true);
  bench.storage.documents.delete(parameters);
  expect(states(await bench.afterPowerCut())).toEqual([7, 2]);
});

test.each(['credentials.json', 'operating.json'])(
  'an unreadable %s is set aside, with status 7',
  async (document) => {
    const bench = await Bench.open();
    bench.storage.documents.set(document, encodeDocument({ strange: true }));
    const after = await bench.afterPowerCut();
    expect(states(after)).toEqual([7, 2]);
    expect(after.log.errors[0]?.facts).toMatchObject({ document });
    expect(after.storage.documents.has(String(after.log.errors[0]?.facts.setAside))).toBe(true);
  },
);

test('credentials missing from a folder that was used are a fault: factory passwords never return unseen', async () => {
  const bench = await Bench.open({ passwords: { Service: 'other' } });
  bench.storage.documents.set('credentials.json', Buffer.from('{'));
  const first = await bench.afterPowerCut();
  expect(states(first)).toEqual([7, 2]);
  const second = await first.afterPowerCut();
  expect(states(second)).toEqual([7, 2]);
});

test('a power cycle whose count cannot be stored does not keep the scanner down for good', async () => {
  const bench = await Bench.open();
  bench.storage.fail('operating.json');
  bench.device.powerCycle();
  bench.clock.advance(2000);
  await settled();
  bench.storage.recover();
  bench.device.powerCycle();
  bench.clock.advance(2000);
  await settled();
  expect(bench.device.lifecycle.phase).toBe('up');
});

test('the device clock forgets at a boot that it was set', async () => {
  const bench = await Bench.open();
  bench.device.time.set({ ...bench.device.time.now(), uiYear: 2030 });
  expect(bench.device.time.now().uiYear).toBe(2030);
  await bench.reboot();
  expect(bench.device.time.now().uiYear).toBe(2026);
});

test('whoever opens a scanner finds its power-on counted on disk', async () => {
  const bench = await Bench.open();
  const stored = decodeDocument(bench.storage.documents.get('operating.json') ?? new Uint8Array());
  expect(stored).toEqual({ powerOnCount: 1, operatingMilliseconds: 0 });
  expect((await bench.afterPowerCut()).device.read(PowerOnCnt)).toBe(2);
});

test('a scanner whose power-on cannot be stored does not start', async () => {
  const bench = await Bench.open();
  const full = bench.storage.afterPowerCut();
  full.fail('operating.json');
  await expect(Bench.open({}, full)).rejects.toThrow('ENOSPC');
});

test('passwords that are lost are told until somebody sets one', async () => {
  const bench = await Bench.open();
  bench.storage.documents.set('credentials.json', Buffer.from('{'));
  const lost = await bench.afterPowerCut();
  expect(states(lost)).toEqual([7, 2]);
  await lost.respond('SetPassword', { siUserLevel: 4, udiNewPassword: 1 });
  expect(states(lost)).toEqual([3, 1]);
  expect(states(await lost.afterPowerCut())).toEqual([3, 1]);
});

test('a document that cannot be read at all counts as lost, and keeps nobody from starting', async () => {
  const bench = await Bench.open();
  bench.storage.failRead(parameters);
  await bench.reboot();
  expect(states(bench)).toEqual([7, 2]);
  expect(bench.log.errors[0]?.facts).toMatchObject({
    document: parameters,
    reason: expect.stringContaining('EACCES'),
  });
});
