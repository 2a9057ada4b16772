import { Scanner } from '@azimuth/client';
import { allParameters, builtInInterface } from '@azimuth/model';
import { signal } from '@preact/signals';
import { expect, test, vi } from 'vitest';
import type { Edition } from '../../src/connection/declarations.js';
import { Readings } from '../../src/connection/readings.js';
import { StoredParameters } from '../../src/connection/stored-parameters.js';

const newest: Edition = { release: '2.4.4', variant: 'full', known: builtInInterface };

/** Answers of a scanner to reads of `x/stored`, one after the other, and the working values that are known of it. */
function link(...responses: readonly (Readonly<Record<string, unknown>> | string | undefined)[]) {
  let reads = 0;
  const fetch = async () => {
    const response = responses[Math.min(reads++, responses.length - 1)];
    if (typeof response === 'string')
      return new Response(response, { status: 404, headers: { 'Content-Type': 'text/plain' } });
    const [status, message] = response === undefined ? [5, 'Not Found'] : [0, 'Ok'];
    const body = { header: { status, message }, ...(response && { data: { stored: response } }) };
    return new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } });
  };
  const readings = new Readings(() => new Promise(() => {}));
  const edition = signal<Edition | undefined>(newest);
  const linked = {
    scanner: new Scanner({ url: 'http://scanner', fetch }),
    readings,
    edition,
    value: (name: string) => readings.valueOf(name),
    isPending: (name: string) => readings.of(name).value.state === 'waiting',
  };
  const stored = new StoredParameters(linked, (read) => read());
  return { readings, edition, stored, reads: () => reads };
}

const all = { LocationName: 'Gate 3', LEDEnable: true, TSCTCupdatetime: 600 };

test('nobody reads that all is saved before all was compared', async () => {
  const { readings, stored } = link(all);
  expect(stored.unsaved.value).toBeUndefined();
  await vi.waitFor(() => expect(stored.state.value).toBe('known'));
  readings.begin({ LocationName: 'Gate 3' });
  expect(stored.unsaved.value).toBeUndefined();
  readings.begin({ LEDEnable: true });
  expect(stored.unsaved.value).toBeUndefined();
  readings.begin({ TSCTCupdatetime: 600 });
  expect(stored.unsaved.value).toEqual([]);
});

test('a later read that is refused leaves what is known', async () => {
  const { readings, stored } = link(all, undefined);
  await stored.read();
  readings.begin({ ...all, LocationName: 'Gate 4' });
  await stored.read();
  expect([stored.state.value, stored.unsaved.value]).toEqual(['known', ['LocationName']]);
});

test('what differs is unsaved at once, in the order of the model, and until it is as stored', async () => {
  const { readings, stored } = link(all);
  await stored.read();
  readings.begin({ TSCTCupdatetime: 60 });
  expect(stored.unsaved.value).toEqual(['TSCTCupdatetime']);
  readings.begin({ LocationName: 'Gate 4', LEDEnable: true });
  const order = allParameters.map(({ name }) => name);
  expect(stored.unsaved.value).toEqual(
    ['LocationName', 'TSCTCupdatetime'].toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
  );
  expect(stored.valueOf('LocationName')).toBe('Gate 3');
  readings.update({ LocationName: 'Gate 3', TSCTCupdatetime: 600 });
  expect(stored.unsaved.value).toEqual([]);
});

test('parameters that the edition does not have, or the scanner did not store, are not compared', async () => {
  const { edition, stored, readings } = link({ LEDEnable: true, EtherAuxIPPort: 2111, noParameter: 1 });
  await stored.read();
  readings.begin({ LEDEnable: true, EtherAuxIPPort: 5000 });
  expect(stored.unsaved.value).toEqual(['EtherAuxIPPort']);
  edition.value = { release: '1.4.0', variant: 'full', known: builtInInterface };
  expect(stored.unsaved.value).toEqual([]);
  edition.value = undefined;
  expect(stored.unsaved.value).toBeUndefined();
});

test('they are read when somebody asks first, once, and again when a save is told of', async () => {
  const { stored, reads } = link(all);
  stored.follow({ LastParaDate: '01.02.2026' });
  stored.refresh();
  expect(reads()).toBe(0);
  expect([stored.state.value, stored.valueOf('LEDEnable')]).toEqual(['waiting', undefined]);
  await vi.waitFor(() => expect(stored.state.value).toBe('known'));
  expect(reads()).toBe(1);
  stored.follow({ LocationName: 'Gate 4' });
  expect(reads()).toBe(1);
  for (const name of ['LastParaDate', 'LastParaTime']) stored.follow({ [name]: '' });
  await vi.waitFor(() => expect(reads()).toBe(3));
});

test.each([undefined, 'Nothing is here.'])(
  'a scanner that does not show what it stored says so, and nothing counts as saved: %s',
  async (answer) => {
    const { stored } = link(answer);
    await stored.read();
    expect(stored.state.value).toBe('unavailable');
    expect(stored.unsaved.value).toBeUndefined();
  },
);
