import type { PlugPins } from '@azimuth/model';
import { dataOf } from '@azimuth/test-support/client';
import { array, object } from '@azimuth/test-support/json';
import { LegacyClient } from '@azimuth/test-support/legacy-client';
import { configuration } from '@azimuth/test-support/port-configuration';
import { TestScanner } from '@azimuth/test-support/test-scanner';
import { describe, expect, it } from 'vitest';

const output = (port: number) => `1 6 InOut${port} 0 A 1 0 0 1 0 0 C8 1 1 0 0 1 DRDY 0 0 0 0 0 0 0`;
const input = (port: number) => `0 6 InOut${port} 0 A 1 0 0 0 0 0 C8 1 1 0 0 0 0 0 0 0`;

/** eIOState of all ports in InputState or OutputState. */
async function states(scanner: TestScanner, name: 'InputState' | 'OutputState'): Promise<string> {
  const data = dataOf(await scanner.client().get(name));
  const items = array(name === 'InputState' ? data.aDigitalIn : data.aDigitalOut);
  return items.map((item) => object(object(item).IOState).eIOState).join(' ');
}

describe('a new scanner', () => {
  it('has outputs for readiness at ports 1, 2, 7 and 8, and inputs at 3 to 6', async () => {
    const scanner = await TestScanner.start();
    const legacy = await LegacyClient.forTest(scanner.portA, 'A');
    const { payload } = await legacy.request('sRN PortConfiguration');
    const ports = [output(1), output(2), ...[3, 4, 5, 6].map(input), output(7), output(8)];
    expect(payload.toString('latin1')).toBe(`sRA PortConfiguration ${ports.join(' ')}`);
    const data = array(dataOf(await scanner.client().get('PortConfiguration')).PortConfiguration).map(object);
    expect(data.map(({ PortType, Name }) => [PortType, Name])).toEqual(
      [1, 1, 0, 0, 0, 0, 1, 1].map((type, index) => [type, `InOut${index + 1}`]),
    );
  });
});

describe.each<{ plug: PlugPins; inputs: string; outputs: string; last: number }>([
  { plug: 5, inputs: '2 2 0 2 2 2 2 2', outputs: '1 1 2 2 2 2 2 2', last: 3 },
  { plug: 12, inputs: '2 2 0 0 0 0 2 2', outputs: '1 1 2 2 2 2 2 2', last: 6 },
])('a scanner with a plug of $plug pins', ({ plug, inputs, outputs, last }) => {
  it('says over REST and by telegram which ports are there', async () => {
    const scanner = await TestScanner.start({ plug });
    expect([await states(scanner, 'InputState'), await states(scanner, 'OutputState')]).toEqual([
      inputs,
      outputs,
    ]);
    const legacy = await LegacyClient.forTest(scanner.portA, 'A');
    const read = async (name: string) => (await legacy.request(`sRN ${name}`)).payload.toString('latin1');
    expect(await read('LIDinputstate')).toMatch(new RegExp(`^sRA LIDinputstate 1 \\w+ ${inputs} 1 `));
    const counted = outputs.replaceAll('1', '1 1').replaceAll('2', '2 0');
    expect(await read('LIDoutputstate')).toMatch(new RegExp(`^sRA LIDoutputstate 1 \\w+ ${counted} 1 `));
  });

  it('switches no port behind its last one, over REST and by telegram', async () => {
    const switched = Object.fromEntries(
      Array.from({ length: 8 }, (_, index) => [
        index + 1,
        { PortType: 1 as const, Sources: [`SC0${index + 1}`] },
      ]),
    );
    const scanner = await TestScanner.start({
      plug,
      initialParameters: { PortConfiguration: configuration(switched) },
    });
    const legacy = await LegacyClient.forTest(scanner.portA, 'A');
    await legacy.login();
    for (let port = 1; port <= 8; port++) {
      const isThere = port <= last;
      expect(dataOf(await scanner.client().call('SetOutput', { Output: port, Value: 1 }))).toEqual({
        Success: isThere,
      });
      const { payload } = await legacy.request(`sMN mDOSetOutput ${port} 1`);
      expect(payload.toString('latin1')).toBe(`sAN mDOSetOutput ${isThere ? 1 : 0}`);
    }
  });
});
