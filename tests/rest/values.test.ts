import { detailOf, expectRefusal, expectStatus, expectWritten } from '@azimuth/test-support/envelope';
import { resetFailedLogins } from '@azimuth/test-support/failed-logins';
import { array, object } from '@azimuth/test-support/json';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { beforeEach, describe, expect, test } from 'vitest';

// One case of each kind: packages/model/test and tests/properties have all of them.

const scanner = sharedScanner();
const client = () => scanner().client();
const destination = { Protocol: 1, IPAddress: [192, 168, 0, 100], Port: 2115 };
const settings = 'ScanDataEthSettings';

beforeEach(() => resetFailedLogins(scanner()));

describe('a struct', () => {
  test('is taken whole, and comes back as it was', async () => {
    await expectWritten(client(), settings, { Protocol: 2, IPAddress: [10, 0, 0, 1], Port: 65535 });
    await expectWritten(client(), settings, destination);
  });

  test('is refused whole for one member, and nothing of it is kept', async () => {
    const wrong = { ...destination, IPAddress: [1, 2, 3, 256] };
    await expectRefusal(client(), settings, () => client().write(settings, wrong), 6);
  });

  test('is not written by members that lie flat in data, as a read shows them', async () => {
    await expectRefusal(client(), settings, () => client().call(settings, destination), 1);
    const both = { [settings]: destination, ...destination };
    await expectRefusal(client(), settings, () => client().call(settings, both), 2);
  });

  test('has no member of what every object has', async () => {
    const text = JSON.stringify(destination);
    for (const member of ['"__proto__":{"x":1}', '"constructor":1']) {
      const data = `{"${settings}":{${member},${text.slice(1)}}`;
      await expectRefusal(client(), settings, () => client().callText(settings, data), 2);
    }
    const hidden = `{"${settings}":{"__proto__":${text}}}`;
    await expectRefusal(client(), settings, () => client().callText(settings, hidden), 1);
  });
});

test('of an array of structs, the detail names the place of a fault deep inside', async () => {
  const ports = array(await client().value('PortConfiguration'));
  const port = object(ports[3]);
  const changed = (name: string) => {
    const sources = [{ Name: name, Invert: true, Reserved5: 0, Reserved6: 0 }];
    const output = { ...object(port.OutputSettings), Sources: sources };
    return ports.with(3, { ...port, PortType: 1, Name: 'Ampel \u{1f6a6}', OutputSettings: output });
  };
  await expectWritten(client(), 'PortConfiguration', changed('DRDY'));
  const refused = await client().write('PortConfiguration', changed('DRD'));
  expectStatus(refused, 7);
  expect(detailOf(refused)).toContain('PortConfiguration[3].OutputSettings.Sources[0].Name');
});
