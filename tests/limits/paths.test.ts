import { expectDone, expectStatus } from '@azimuth/test-support/envelope';
import { expectResponse, openAndSend } from '@azimuth/test-support/raw-connection';
import { sharedScanner } from '@azimuth/test-support/scanner-process';
import { describe, expect, test } from 'vitest';

const scanner = sharedScanner();
const client = () => scanner().client();

/** The answer to a GET of a target just as it is written here. */
async function answerTo(target: string, status: number) {
  const connection = await openAndSend(client().port, `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return expectResponse(connection, status);
}

test.each([
  ['a query', '/api/DeviceStatus?a=/b/../c%zz'],
  ['an empty query', '/api/DeviceStatus?'],
  ['absolute form', 'http://scanner/api/DeviceStatus'],
  ['absolute form in capitals, with a port and a query', 'HTTP://Scanner:8080/api/DeviceStatus?a'],
  ['encoded letters', '/api/Device%53tatus'],
  ['encoded letters of the interface itself', '/%61%70i/DeviceStatus'],
  ['encoded letters in absolute form', 'http://scanner/api/%44eviceStatus'],
])('%s names the same variable', async (_, target) => {
  expect((await answerTo(target, 0)).body).toContain('"DeviceStatus":3');
});

describe('an encoded name', () => {
  test('is hashed as it is decoded', async () => {
    const post = async (hashed: string) => {
      const header = await client().header(hashed);
      const body = JSON.stringify({ header, data: { LocationName: 'Gate 3' } });
      return client().send({ method: 'POST', path: '/api/Location%4Eame', body });
    };
    expectDone(await post('LocationName'));
    expectStatus(await post('Location%4Eame'), 4);
  });

  test.each([
    '/api/Device%2553tatus',
    '/api/%zz',
    '/api/%',
    '/api/DeviceStatus%',
    '/api/%ff',
    '/api/DeviceStatus%00',
    '/api/DeviceStatus%20',
    '/api/DeviceStatus%3Fa',
    '/api/crown%2Ffile',
    '/api/%2FDeviceStatus',
  ])('is unknown where it is broken, encoded twice, or hides a slash: %s', async (target) => {
    const { headers } = await answerTo(target, 5);
    expect(headers.get('azimuth-detail')).toMatch(/^there is no variable, method or file named /);
  });
});

test.each([
  '//api//DeviceStatus',
  '//api/DeviceStatus',
  '/api//DeviceStatus',
  '/api///DeviceStatus',
  '/api/DeviceStatus/',
  '/api/DeviceStatus//',
  '/API/DeviceStatus',
  '/Api/DeviceStatus/',
  '/./api/DeviceStatus',
  '/api/./DeviceStatus',
  '/api/../api/DeviceStatus',
  '/docs/../api/DeviceStatus',
  '/api/%2e/DeviceStatus',
  '/api%2FDeviceStatus',
  '/%61pi%2fDeviceStatus',
  'http://scanner//api/DeviceStatus',
  '//api//DeviceStatus?a=b',
])('%s is another path: status 5, and the detail says which one is meant', async (target) => {
  const { headers } = await answerTo(target, 5);
  expect(headers.get('azimuth-detail')).toContain('did you mean /api/DeviceStatus?');
});

test('a write to such a path has no effect, and the connection stays open', async () => {
  const keeping = scanner().client({ keepAlive: true });
  const header = await keeping.header('LocationName');
  const body = JSON.stringify({ header, data: { LocationName: 'sloppy' } });
  expectStatus(await keeping.send({ method: 'POST', path: '/api//LocationName', body }), 5);
  expect(await keeping.value('LocationName')).not.toBe('sloppy');
  keeping.close();
});

test.each([
  '/api',
  '/api/',
  '//api',
  '//api//',
  '/API',
  '/api/.',
  '/api/..',
  '/api/../..',
  '/API/Nothing',
  '//api//Nothing/x',
  '/api/../healthz',
])('%s means nothing that there is: status 5 in JSON', async (target) => {
  const { headers } = await answerTo(target, 5);
  expect(headers.get('azimuth-detail')).toMatch(
    /^(there is no variable, method or file named|the path has no name after \/(api|x)\/$)/,
  );
});

test('a name that contains a slash is one name', async () => {
  const { headers, httpStatus } = await client().send({ method: 'GET', path: '/api/crown/file' });
  expect([httpStatus, headers['azimuth-detail']]).toEqual([400, expect.stringContaining('filePath')]);
});

test.each(['/x/stored/', '/x/nothing', '/x/', '/x/a/b', '/x//stored'])(
  '%s is unknown like a name under /api/',
  async (path) => {
    const { headers } = await answerTo(path, 5);
    expect(headers.get('azimuth-detail')).toMatch(
      /^(there is no variable, method or file named|the path has no name after \/(api|x)\/$)/,
    );
  },
);

test.each(['/apis/DeviceStatus', '/ap/DeviceStatus', '//docs', '/docs/', '*'])(
  '%s is beside the interface: HTTP 404 in words',
  async (path) => {
    const reply = await client().send({ method: 'GET', path });
    expect(reply.httpStatus).toBe(404);
    expect(reply.headers['content-type']).toMatch(/^text\/plain/);
  },
);
