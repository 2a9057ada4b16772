import type { ExtensionValueOf, ValueOf } from '@azimuth/model';
import { expectTypeOf, test } from 'vitest';
import type { Scanner } from '../src/index.js';

/** Never called: its types are what is tested. */
async function calls(scanner: Scanner) {
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

test('the types of reads, writes and calls follow from the model', () => {
  expectTypeOf(calls).returns.toEqualTypeOf<Promise<void>>();
});
