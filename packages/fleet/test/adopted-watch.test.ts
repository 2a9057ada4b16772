import { someFleet } from '@azimuth/test-support/some-fleet';
import { until } from '@azimuth/test-support/waiting';
import { expect, test } from 'vitest';
import type { AdoptedClient, Adoption, Look } from '../src/adopted/adopted-client.js';

const look: Look = { serialNumber: '23450001', version: '2.4.4.0R', location: 'Gate 3', deviceStatus: 3 };

/** Clients that only count what the fleet does. */
class CountedClients {
  open = 0;
  looks = 0;
  follows = 0;

  readonly adoption: Adoption = {
    ownPorts: () => [],
    times: { followed: 5, unfollowed: 5, registrations: 1 },
    open: () => this.#client(),
  };

  #client(): AdoptedClient {
    this.open++;
    return {
      look: async () => {
        this.looks++;
        return look;
      },
      follow: async (_, signal) => {
        this.follows++;
        await new Promise((over) => signal.addEventListener('abort', over));
        return undefined;
      },
      accepts: async () => true,
      close: () => void this.open--,
    };
  }
}

const facts = { serial: '23450001', group: 'yard', url: 'http://192.168.0.1' };

/** Waits until a scanner of another fleet was looked at several times: a watch that goes on would look as often. */
async function looksElsewhere(): Promise<void> {
  const clients = new CountedClients();
  await someFleet([facts], { adoption: clients.adoption });
  await until(() => clients.looks >= 5);
}

test('a process that may not run a scanner does not ask it, and asks it as soon as it may', async () => {
  const clients = new CountedClients();
  let mayRun = false;
  const { fleet } = await someFleet([facts], { adoption: clients.adoption, owns: () => mayRun });
  const { states } = fleet;
  expect([states.unreachable, clients.looks]).toEqual([1, 0]);
  mayRun = true;
  await until(() => fleet.states.online === 1);
  mayRun = false;
  const { looks } = clients;
  await looksElsewhere();
  expect(clients.looks - looks).toBeLessThanOrEqual(1);
});

test('a scanner that is added is watched once, and one that is removed is not watched any more', async () => {
  const clients = new CountedClients();
  const { fleet } = await someFleet([], { adoption: clients.adoption });
  await fleet.add([facts]);
  await until(() => clients.follows === 1 && clients.looks > 2);
  expect(clients.open).toBe(1);
  await fleet.remove(['23450001']);
  const { looks } = clients;
  expect([clients.open, fleet.members.size, fleet.hasAdopted]).toEqual([0, 0, false]);
  await looksElsewhere();
  expect([clients.looks, clients.follows]).toEqual([looks, 1]);
});

test('a fleet without a client for real scanners refuses them', async () => {
  await expect(someFleet([facts])).rejects.toThrow(/23450001 is a real scanner/);
});

test('a scanner at a forbidden address is refused before anything is sent', async () => {
  const clients = new CountedClients();
  const metadata = { ...facts, url: 'http://169.254.169.254' };
  await expect(someFleet([metadata], { adoption: clients.adoption })).rejects.toThrow(
    /no address of a scanner/,
  );
  expect(clients.open).toBe(0);
});
