import type { ExtensionValueOf, ValueOf } from '@azimuth/model';
import type { EventName as SpecifiedEvent } from '@azimuth/test-support/event-names';
import { expectTypeOf } from 'vitest';
import type { EventName, Events, Scanner, ScannerEvent } from '../src/index.js';

// The types of the client follow from the model. Nothing of this file runs: `npm run typecheck` fails where a type is
// another one, or where a line that must not compile does.

export async function readsWritesAndCalls(scanner: Scanner) {
  expectTypeOf(await scanner.read('LocationName')).toEqualTypeOf<string>();
  expectTypeOf(await scanner.read('EtherIPAddress')).toEqualTypeOf<readonly number[]>();
  expectTypeOf(await scanner.read('EtherAddressingMode')).toEqualTypeOf<0 | 1>();
  expectTypeOf(await scanner.read('ScanDataEthSettings')).toEqualTypeOf<ValueOf<'ScanDataEthSettings'>>();
  expectTypeOf(await scanner.readAny('LocationName')).toBeUnknown();
  const fields = await scanner.read('x/fields');
  expectTypeOf(fields).toEqualTypeOf<ExtensionValueOf<'x/fields'>>();
  expectTypeOf(fields.evaluations[0]?.Name).toEqualTypeOf<string | undefined>();
  await scanner.write('x/fields', fields);
  // @ts-expect-error: no definitions
  await scanner.write('x/fields', 3);
  // @ts-expect-error: no such extension
  await scanner.read('x/nothing');
  // @ts-expect-error: no such variable
  await scanner.read('LocationNames');
  // @ts-expect-error: a method, no variable
  await scanner.read('WriteEeprom');

  await scanner.write('LocationName', 'Gate 3');
  // @ts-expect-error: a text, no number
  await scanner.write('LocationName', 3);
  // @ts-expect-error: not a value of the enumeration
  await scanner.write('EtherAddressingMode', 2);

  const enabled = await scanner.call('EnableUserLevel', { userLevel: 3, isEnabled: true });
  expectTypeOf(enabled.result).toEqualTypeOf<0 | 2>();
  expectTypeOf((await scanner.call('WriteEeprom')).Success).toBeBoolean();
  expectTypeOf((await scanner.call('getChallenge', { user: 'Service' })).nonce).toBeString();
  await scanner.call('WriteEeprom', {});
  // @ts-expect-error: a member is missing
  await scanner.call('EnableUserLevel', { userLevel: 3 });
  // @ts-expect-error: the request is missing
  await scanner.call('EnableUserLevel');
  // @ts-expect-error: takes nothing
  await scanner.call('WriteEeprom', { Success: true });

  // @ts-expect-error: nobody logs in as Run
  await scanner.changePassword('Run', 'a', 'b');
}

export async function events(scanner: Scanner) {
  expectTypeOf<EventName>().toEqualTypeOf<SpecifiedEvent>();
  for await (const value of scanner.events('CurrentTempDev', 'temperatureAlarmStatus', { throttle: 100 })) {
    if (value.event === 'CurrentTempDev') expectTypeOf(value.data).toBeNumber();
    else expectTypeOf(value.data).toBeBoolean();
  }
  expectTypeOf(scanner.events('DeviceStatus')).toEqualTypeOf<Events<ScannerEvent<'DeviceStatus'>>>();
  for await (const { data } of scanner.eventsAny(['NewestThing'])) expectTypeOf(data).toBeUnknown();
  // @ts-expect-error: a variable, no event
  scanner.events('LocationName');
  // @ts-expect-error: no name at all
  scanner.events({ throttle: 100 });
  // @ts-expect-error: no such option
  scanner.events('DeviceStatus', { speed: 100 });
}
