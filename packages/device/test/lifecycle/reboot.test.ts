import { device as deviceGroup, operatingData, status } from '@azimuth/model';
import { TestDevice } from '@azimuth/test-support/test-device';
import { promisesSettled } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import { GoingDown } from '../../src/network-interface.js';
import { decodeDocument, encodeDocument } from '../../src/storage/document.js';

const { LocationName } = deviceGroup.members;
const { PowerOnCnt, DailyOpHours, LastParaTime } = operatingData.members;
const { DeviceStatus, SCdevicestate } = status.members;
const parameters = 'parameters.json';

function name(testDevice: TestDevice, location: string): void {
  testDevice.device.parameters.change((change) => change.set(LocationName, location));
}

/** Changes a stored document as a person with an editor would: without the checksum. */
function edit(testDevice: TestDevice, document: string, changed: Readonly<Record<string, unknown>>): void {
  const content = decodeDocument(testDevice.storage.documents.get(document) ?? new Uint8Array());
  const edited = { format: 1, ...content, ...changed };
  testDevice.storage.documents.set(document, Buffer.from(JSON.stringify(edited)));
}

function states(testDevice: TestDevice) {
  return [testDevice.device.read(DeviceStatus), testDevice.device.read(SCdevicestate)];
}

test('SoftReset responds first, then goes down, and comes back with the stored values', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'stored');
  await testDevice.respond('WriteEeprom');
  name(testDevice, 'working');
  const { response, afterwards } = await testDevice.call('SoftReset', { ProcessorNbr: 0 });
  expect(response).toEqual({});
  expect(testDevice.device.lifecycle.phase).toBe('up');
  afterwards?.();
  expect(testDevice.device.lifecycle.phase).toBe('down');
  await testDevice.boot();
  expect(testDevice.device.read(LocationName)).toBe('stored');
});

test('RebootDevice stores before its response, and comes back with the working values', async () => {
  const testDevice = await TestDevice.open();
  testDevice.clock.advance(60_000);
  name(testDevice, 'working');
  const { afterwards } = await testDevice.call('RebootDevice');
  expect((await testDevice.afterPowerCut()).device.read(LocationName)).toBe('working');
  expect(testDevice.device.read(LastParaTime)).toBe('12:01');
  afterwards?.();
  await testDevice.boot();
  expect(testDevice.device.read(LocationName)).toBe('working');
});

test('RebootDevice that cannot store responds with status 3 and stays up', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'working');
  testDevice.storage.fail(parameters);
  await expect(testDevice.call('RebootDevice')).rejects.toMatchObject({ status: 'internalServerError' });
  expect(testDevice.device.lifecycle.phase).toBe('up');
  expect(testDevice.device.read(LocationName)).toBe('working');
});

test('from RebootDevice on no change is accepted, until it has failed', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'before');
  const storing = testDevice.storage.delay(parameters);
  const rebooting = testDevice.call('RebootDevice');
  await promisesSettled();
  expect(() => name(testDevice, 'while it saves')).toThrow(GoingDown);
  storing.open();
  const { afterwards } = await rebooting;
  expect(() => name(testDevice, 'after the save')).toThrow(GoingDown);
  afterwards?.();
  expect(() => name(testDevice, 'while it is down')).toThrow(GoingDown);
  await testDevice.boot();
  expect(testDevice.device.read(LocationName)).toBe('before');
  testDevice.storage.fail(parameters, { once: true });
  await expect(testDevice.call('RebootDevice')).rejects.toMatchObject({ status: 'internalServerError' });
  name(testDevice, 'after it has failed');
  expect(testDevice.device.read(LocationName)).toBe('after it has failed');
});

test('of two RebootDevice at once, one that fails opens no door while the other one saves', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'before');
  testDevice.storage.fail(parameters, { once: true });
  const failing = testDevice.call('RebootDevice');
  // Its save has begun then, so the second one does not share it.
  await Promise.resolve();
  const rebooting = testDevice.call('RebootDevice');
  await expect(failing).rejects.toMatchObject({ status: 'internalServerError' });
  expect(() => name(testDevice, 'between')).toThrow(GoingDown);
  (await rebooting).afterwards?.();
  await testDevice.boot();
  expect(testDevice.device.read(LocationName)).toBe('before');
});

test('from SoftReset on no change is accepted', async () => {
  const testDevice = await TestDevice.open();
  const { afterwards } = await testDevice.call('SoftReset', { ProcessorNbr: 0 });
  expect(() => name(testDevice, 'too late')).toThrow(GoingDown);
  afterwards?.();
  await testDevice.boot();
  name(testDevice, 'up again');
});

test('a reboot that a power cycle has overtaken comes to nothing', async () => {
  const testDevice = await TestDevice.open();
  const { afterwards } = await testDevice.call('RebootDevice');
  testDevice.device.lifecycle.powerCycle();
  await testDevice.boot();
  name(testDevice, 'up again');
  afterwards?.();
  expect(testDevice.device.lifecycle.phase).toBe('up');
  expect(testDevice.device.read(LocationName)).toBe('up again');
});

test('a power cycle loses what was not stored, and counts; a reboot does not count', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'working');
  await testDevice.reboot();
  expect(testDevice.device.read(LocationName)).not.toBe('working');
  expect(testDevice.device.read(PowerOnCnt)).toBe(1);
  name(testDevice, 'working');
  testDevice.clock.advance(3_600_000);
  testDevice.device.lifecycle.powerCycle();
  await testDevice.boot();
  expect(testDevice.device.read(LocationName)).not.toBe('working');
  expect(testDevice.device.read(PowerOnCnt)).toBe(2);
  expect(testDevice.device.read(DailyOpHours)).toBe(0);
});

test('a power cut in the middle of a save leaves the old parameters whole', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'old');
  await testDevice.respond('WriteEeprom');
  name(testDevice, 'new');
  testDevice.storage.die(parameters);
  void testDevice.respond('WriteEeprom');
  await promisesSettled();
  const after = await testDevice.afterPowerCut();
  expect(after.device.read(LocationName)).toBe('old');
  expect(states(after)).toEqual([3, 1]);
});

test('a boot reads the disk again', async () => {
  const testDevice = await TestDevice.open();
  edit(testDevice, parameters, { parameters: { LocationName: 'by hand' }, webserverEnabled: false });
  await testDevice.reboot();
  expect(testDevice.device.read(LocationName)).toBe('by hand');
  expect(testDevice.context.state.content.webserverEnabled).toBe(false);
});

test('a boot announces what it has changed', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'working');
  const announced: string[] = [];
  testDevice.device.announcements.subscribe((changed) => announced.push(...changed.map((one) => one.name)));
  await testDevice.reboot();
  expect(announced).toContain('LocationName');
  expect(announced).not.toContain('EtherIPAddress');
});

test('a boot that comes upon a switch being stored knows it, and does not undo it later', async () => {
  const testDevice = await TestDevice.open();
  const writing = testDevice.storage.delay(parameters);
  const turning = testDevice.respond('EnableUserLevel', { userLevel: 3, isEnabled: true });
  const reading = testDevice.storage.delayRead(parameters);
  testDevice.device.lifecycle.reboot();
  const booted = testDevice.boot();
  await promisesSettled();
  writing.open();
  await promisesSettled();
  reading.open();
  await Promise.all([turning, booted]);
  await testDevice.respond('EnableUserLevel', { userLevel: 2, isEnabled: true });
  const { context } = await testDevice.afterPowerCut();
  expect(context.state.content.userLevels).toMatchObject({ Maintenance: true, AuthorizedClient: true });
});

test('a boot that comes upon a save comes back with what was saved', async () => {
  const testDevice = await TestDevice.open();
  name(testDevice, 'saved');
  const writing = testDevice.storage.delay(parameters);
  const save = testDevice.respond('WriteEeprom');
  testDevice.device.lifecycle.powerCycle();
  const booted = testDevice.boot();
  await promisesSettled();
  writing.open();
  await Promise.all([save, booted]);
  const { device } = testDevice;
  expect(device.parameters.stored(LocationName)).toBe('saved');
  expect(device.read(LocationName)).toBe('saved');
});

test('a stored value that is not allowed is logged, and replaced by the factory value', async () => {
  const testDevice = await TestDevice.open();
  edit(testDevice, parameters, {
    parameters: { LocationName: 'x'.repeat(33), EtherIPMask: [255, 255, 0, 0] },
  });
  const after = await testDevice.afterPowerCut();
  expect(after.device.read(LocationName)).toBe(after.device.parameters.layer('factory').LocationName);
  expect(after.device.parameters.layer('working')).toMatchObject({ EtherIPMask: [255, 255, 0, 0] });
  expect(after.log.lines).toContainEqual({
    severity: 'warn',
    message: expect.stringContaining('not allowed'),
    facts: { fault: 'LocationName: expected 0 to 32 characters, got 33' },
  });
});

test('parameters that cannot be read are set aside, and the scanner starts at defaults with status 7', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.documents.set(parameters, Buffer.from('{"format":1'));
  const after = await testDevice.afterPowerCut();
  expect(states(after)).toEqual([7, 2]);
  expect(after.device.read(LocationName)).toBe(after.device.parameters.layer('factory').LocationName);
  expect(after.log.errors).toHaveLength(1);
  expect(after.log.errors[0]?.facts).toMatchObject({ document: parameters });
  const aside = String(after.log.errors[0]?.facts.setAside);
  expect(Buffer.from(after.storage.documents.get(aside) ?? '').toString()).toBe('{"format":1');
  expect(after.storage.documents.has(parameters)).toBe(false);
});

test('status 7 stays over boots and restarts until parameters are stored', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.documents.set(parameters, Buffer.from('not JSON'));
  await testDevice.reboot();
  expect(states(testDevice)).toEqual([7, 2]);
  await testDevice.reboot();
  expect(states(testDevice)).toEqual([7, 2]);
  const restarted = await testDevice.afterPowerCut();
  expect(states(restarted)).toEqual([7, 2]);
  await restarted.respond('WriteEeprom');
  expect(states(restarted)).toEqual([3, 1]);
  expect(states(await restarted.afterPowerCut())).toEqual([3, 1]);
});

test('parameters that are there again at a boot end status 7', async () => {
  const testDevice = await TestDevice.open();
  const intact = testDevice.storage.documents.get(parameters) ?? new Uint8Array();
  testDevice.storage.documents.delete(parameters);
  await testDevice.reboot();
  expect(states(testDevice)).toEqual([7, 2]);
  testDevice.storage.documents.set(parameters, intact);
  await testDevice.reboot();
  expect(states(testDevice)).toEqual([3, 1]);
});

test('parameters missing from a folder that was used are a fault, in a new one they are made', async () => {
  const testDevice = await TestDevice.open();
  expect(states(testDevice)).toEqual([3, 1]);
  expect(testDevice.storage.documents.has(parameters)).toBe(true);
  testDevice.storage.documents.delete(parameters);
  expect(states(await testDevice.afterPowerCut())).toEqual([7, 2]);
});

test.each(['credentials.json', 'operating.json'])(
  'an unreadable %s is set aside, with status 7',
  async (document) => {
    const testDevice = await TestDevice.open();
    testDevice.storage.documents.set(document, encodeDocument({ strange: true }));
    const after = await testDevice.afterPowerCut();
    expect(states(after)).toEqual([7, 2]);
    expect(after.log.errors[0]?.facts).toMatchObject({ document });
    expect(after.storage.documents.has(String(after.log.errors[0]?.facts.setAside))).toBe(true);
  },
);

test('credentials missing from a folder that was used are a fault: factory passwords never return unseen', async () => {
  const testDevice = await TestDevice.open({ passwords: { Service: 'other' } });
  testDevice.storage.documents.set('credentials.json', Buffer.from('{'));
  const first = await testDevice.afterPowerCut();
  expect(states(first)).toEqual([7, 2]);
  const second = await first.afterPowerCut();
  expect(states(second)).toEqual([7, 2]);
});

test('a power cycle whose count cannot be stored does not keep the scanner down for good', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.fail('operating.json');
  testDevice.device.lifecycle.powerCycle();
  testDevice.clock.advance(2000);
  await promisesSettled();
  testDevice.storage.recover();
  testDevice.device.lifecycle.powerCycle();
  testDevice.clock.advance(2000);
  await promisesSettled();
  expect(testDevice.device.lifecycle.phase).toBe('up');
});

test('the device clock forgets at a boot that it was set', async () => {
  const testDevice = await TestDevice.open();
  testDevice.device.features.synchronisation.time.set({
    ...testDevice.device.features.synchronisation.time.now(),
    uiYear: 2030,
  });
  expect(testDevice.device.features.synchronisation.time.now().uiYear).toBe(2030);
  await testDevice.reboot();
  expect(testDevice.device.features.synchronisation.time.now().uiYear).toBe(2026);
});

test('when a scanner is open, its power-on is counted on disk', async () => {
  const testDevice = await TestDevice.open();
  const stored = decodeDocument(testDevice.storage.documents.get('operating.json') ?? new Uint8Array());
  expect(stored).toEqual({ powerOnCount: 1, operatingMilliseconds: 0 });
  expect((await testDevice.afterPowerCut()).device.read(PowerOnCnt)).toBe(2);
});

test('a scanner whose power-on cannot be stored does not start', async () => {
  const testDevice = await TestDevice.open();
  const full = testDevice.storage.afterPowerCut();
  full.fail('operating.json');
  await expect(TestDevice.open({}, full)).rejects.toThrow('ENOSPC');
});

test('lost passwords are reported until the owner of the machine resets them', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.documents.set('credentials.json', Buffer.from('{'));
  const lost = await testDevice.afterPowerCut();
  expect(states(lost)).toEqual([7, 2]);
  await lost.reboot();
  expect(states(lost)).toEqual([7, 2]);
  const reset = await lost.afterPowerCut({ resetPasswords: true });
  expect(states(reset)).toEqual([3, 1]);
  expect(states(await reset.afterPowerCut())).toEqual([3, 1]);
});

test('a document that cannot be read at all counts as lost, and the scanner starts', async () => {
  const testDevice = await TestDevice.open();
  testDevice.storage.failRead(parameters);
  await testDevice.reboot();
  expect(states(testDevice)).toEqual([7, 2]);
  expect(testDevice.log.errors[0]?.facts).toMatchObject({
    document: parameters,
    reason: expect.stringContaining('EACCES'),
  });
});
