import { allEndpoints, allFiles, allVariables, endpointsOf, filesOf, isFrom } from '@azimuth/model';
import { openApi } from '@azimuth/model/openapi';
import { number, object, parse } from '@azimuth/test-support/json';
import { editions, fetchJson, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { describe, expect, test } from 'vitest';

const verbs = ['get', 'post', 'put', 'delete'] as const;

const names = [...allEndpoints, ...allFiles].map(({ name }) => name);
const unknown = ['FieldEvaluationApplicationState', 'groundFilterEnable', 'locationname', 'x/stored', ''];
const aliases = allVariables.flatMap(({ facts }) => facts.aliases ?? []);

/** The status of the envelope; undefined for a file, which has none, or is refused with a status of HTTP's own. */
async function statusOf(scanner: string, verb: string, name: string): Promise<number | undefined> {
  const response = await fetch(`${scanner}/api/${name}`, { method: verb.toUpperCase() });
  const text = await response.text();
  const enveloped = response.status === 200 && response.headers.get('content-type') === 'application/json';
  return enveloped ? number(object(object(parse(text)).header).status) : undefined;
}

/** What does not answer "not found" (5), nor "read only" (8), which says that a write is nobody's. */
async function servedBy(scanner: string): Promise<string[]> {
  const served: string[] = [];
  for (const name of [...names, ...unknown]) {
    for (const verb of verbs) {
      const status = await statusOf(scanner, verb, name);
      if (status !== 5 && status !== 8) served.push(`${verb} /api/${name}`);
    }
  }
  return served;
}

describe.each(editions)('a scanner of %s', (_, edition) => {
  const scanner = scannerOf(edition);
  const listed = Object.entries(openApi(edition).paths).flatMap(([path, item]) =>
    Object.keys(item).map((verb) => ({ path, verb })),
  );

  test('serves what its description lists, and nothing else', async () => {
    const described = listed.filter(({ path }) => path.startsWith('/api/'));
    expect((await servedBy(scanner())).sort()).toEqual(
      described.map(({ path, verb }) => `${verb} ${path}`).sort(),
    );
  });

  test('describes all that its edition has, except aliases', () => {
    const described = [...new Set(listed.map(({ path }) => path))].filter((path) => path.startsWith('/api/'));
    const served = [...endpointsOf(edition).keys(), ...filesOf(edition).keys()];
    expect(described.sort()).toEqual(
      served
        .filter((name) => !aliases.includes(name))
        .map((name) => `/api/${name}`)
        .sort(),
    );
  });

  test('serves under aliases what the description does not list', async () => {
    for (const alias of aliases) {
      const there = endpointsOf(edition).has(alias);
      expect(await statusOf(scanner(), 'get', alias), alias).toBe(there ? 0 : 5);
    }
  });

  test('serves our own paths as described', async () => {
    const beside = listed.filter(({ path }) => !path.startsWith('/api/'));
    const ofFields = [
      'get /x/fields',
      'post /x/fields',
      'get /x/teachIn',
      'post /x/teachIn',
      'get /x/history',
    ];
    const hasFields = edition.variant === 'full';
    const hasRecorder = hasFields && isFrom(edition.release, '2.3.1');
    expect(beside.map(({ path, verb }) => `${verb} ${path}`).sort()).toEqual(
      [
        ...(hasFields ? ofFields : []),
        'get /x/stored',
        'get /x/time',
        'get /x/network',
        'get /x/conditions',
        'get /x/firmware',
        ...(isFrom(edition.release, '2.3.1') ? ['get /x/plug'] : []),
        'get /x/events',
        'get /x/scan',
        ...(isFrom(edition.release, '2.3.1') ? ['get /apievents'] : []),
        'get /metrics',
        ...(hasRecorder ? ['get /cloud.pcd'] : []),
        'get /healthz',
      ].sort(),
    );
    for (const { path, verb } of beside) {
      const { status } = await fetch(scanner() + path, { method: verb.toUpperCase() });
      // Nothing has been recorded, and what asks for events asks for no WebSocket.
      const other = path === '/cloud.pcd' ? 404 : 426;
      expect(status, path).toBe(/^\/cloud|events$|scan$/.test(path) ? other : 200);
    }
    const statusAt = async (path: string) =>
      number(object(object(await fetchJson(scanner() + path)).header).status);
    expect(await statusAt('/x/nothing')).toBe(5);
    expect(await statusAt('/x/fields')).toBe(hasFields ? 0 : 5);
  });

  test('always serves the same description', async () => {
    const address = `${scanner()}/openapi.json`;
    const response = await fetch(address);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(await response.text()).toBe(JSON.stringify(openApi(edition)));
    expect(object(object(await fetchJson(address)).info)['x-edition']).toEqual(edition);
  });
});
