import { join } from 'node:path';
import { Scanner } from '@azimuth/client';
import { temporaryFolder } from '@azimuth/test-support/files';
import { FleetProcess } from '@azimuth/test-support/fleet-process';
import { RawConnection } from '@azimuth/test-support/raw-connection';
import { UdpReceiver } from '@azimuth/test-support/streams/receiver';
import { expect, test } from 'vitest';

const [attacked, neighbour, streaming] = ['10000001', '10000002', '10000003'] as const;
const password = 'servicelevel';
const connectionsAtOnce = 300;
const neighbourReads = 40;

type Attack = (fleet: FleetProcess, goesOn: () => boolean) => Promise<void>;

/** Opens many connections, and says this on each of them. */
function connections(says: string): Attack {
  return async ({ url }, goesOn) => {
    const open: RawConnection[] = [];
    while (goesOn()) {
      const connection = await RawConnection.open(Number(new URL(url).port));
      connection.write(says);
      open.push(connection);
      if (open.length > connectionsAtOnce) open.shift()?.destroy();
    }
    for (const connection of open) connection.destroy();
  };
}

/** Does it again and again, eight at a time. */
function again(act: (fleet: FleetProcess) => Promise<unknown>): Attack {
  return async (fleet, goesOn) => {
    const one = async () => {
      while (goesOn()) await act(fleet).catch(() => undefined);
    };
    await Promise.all(Array.from({ length: 8 }, one));
  };
}

const path = `/scanners/${attacked}/api/LocationName`;
const attacks: Readonly<Record<string, Attack>> = {
  'connections that say nothing': connections(''),
  'connections with half a request': connections(`GET ${path} HTTP/1.1\r\nHost: a.local\r\n`),
  'bodies that do not end': connections(
    `POST ${path} HTTP/1.1\r\nHost: a.local\r\nContent-Length: 1000\r\n\r\n{"data":`,
  ),
  'requests whose answers nobody reads': connections(
    `GET /scanners/${attacked}/openapi.json HTTP/1.1\r\nHost: a.local\r\n\r\n`.repeat(50),
  ),
  'a flood of reads': again(({ url }) => fetch(url + path).then((response) => response.text())),
  'guessed passwords': again(({ url }) =>
    new Scanner({ url: `${url}/scanners/${attacked}`, password: 'guessed' }).write('LocationName', 'stolen'),
  ),
};

test.each(Object.entries(attacks))('%s at one scanner touch no other', async (_, attack) => {
  const data = join(temporaryFolder(), 'data');
  const fleet = await FleetProcess.start('--count', '3', '--data', data);
  const receiver = await UdpReceiver.open();
  const stream = fleet.scanner(streaming);
  await stream.write('ScanDataEthSettings', {
    ...{ Protocol: 1, IPAddress: [127, 0, 0, 1], Port: receiver.port },
  });
  await stream.write('ScanDataEnable', true);
  await receiver.next(1);
  let isOver = false;
  const attacking = attack(fleet, () => !isOver);
  const other = fleet.scanner(neighbour);
  for (let count = 0; count < neighbourReads; count++) {
    expect(await other.read('SerialNumber')).toBe(neighbour);
    await other.write('LocationName', `name ${count}`);
    await other.call('WriteEeprom');
    expect(await other.read('LocationName')).toBe(`name ${count}`);
  }
  // A fresh login, in the middle of it.
  await new Scanner({ url: `${fleet.url}/scanners/${neighbour}`, password }).write('LocationName', 'last');
  await receiver.next(5);
  isOver = true;
  await attacking;
  // No telegram of the stream is missing.
  const sequences = receiver.all.flatMap((telegram) =>
    telegram.kind === 'scan' ? telegram.segments.map(({ sequence }) => sequence) : [],
  );
  expect(sequences).toEqual(sequences.map((_one, index) => (sequences[0] ?? 0) + index));
  expect(await fleet.scanner(attacked).read('SerialNumber')).toBe(attacked);
  expect(await fleet.scanner(attacked).read('LocationName')).not.toBe('stolen');
  expect(await fleet.end('SIGTERM')).toBe(0);
});
