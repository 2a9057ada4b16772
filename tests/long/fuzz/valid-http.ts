import { object, parse } from '@azimuth/test-support/json';
import { cut } from './bytes-at-the-socket.js';
import type { Category } from './fuzz-run.js';
import { huge, unknownName } from './hostile-json.js';
import { expectOneOf, outcomesOf, statusOf } from './oracle.js';
import { get, post, postInChunks } from './requests.js';

/** Many requests at once get as many replies in the same order. */
export const pipelines: Category = {
  name: 'pipelines',
  weight: 6,
  run: async (client, random, catalogue) => {
    const names = Array.from({ length: random.between(2, 20) }, () => random.pick(catalogue));
    const requests = names.map(({ kind, name }) =>
      kind === 'variable'
        ? get(`/api/${name}`)
        : post('GetWebserverEnabled', random.pick(['', '{}', 'null'])),
    );
    client.latest = cut(Buffer.concat(requests), random.below(3), random);
    const connection = await client.open();
    await connection.send(...client.latest);
    const statuses: number[] = [];
    for (const { kind, name } of names) {
      const reply = await connection.reply();
      if (reply === undefined) throw new Error('a pipeline broke off');
      statuses.push(expectOneOf(statusOf(reply), [0], name));
      const found = object(object(parse(reply.body)).data);
      if (!(kind === 'variable' ? name in found : 'IsEnabled' in found))
        throw new Error(`not the reply of ${name}`);
    }
    connection.reset();
    return statuses;
  },
};

/** A valid call in pieces of any size, down to single bytes, or in chunks. */
export const slices: Category = {
  name: 'slices',
  weight: 6,
  run: async (client, random) => {
    const body = Buffer.from(JSON.stringify({ header: await client.header('checkCredentials') }));
    const places = Array.from({ length: random.below(12) }, () => random.below(body.length));
    const request = random.percent(50)
      ? post('checkCredentials', body)
      : postInChunks('checkCredentials', body, places, random.pick(['', ';a=b', ';a="b"']));
    const parts = random.percent(30)
      ? Array.from(request, (byte) => Buffer.from([byte]))
      : cut(request, random.below(6), random);
    // Another client may have locked logins or fetched a challenge for another level meanwhile.
    return [expectOneOf(statusOf(await client.request(...parts)), [0, 4, 10], 'a valid call in pieces')];
  },
};

/** Bodies of the maximum size, larger ones, and ones that are expensive to parse. */
export const largeBodies: Category = {
  name: 'large bodies',
  weight: 2,
  run: async (client, random, catalogue) => {
    const { name } = random.pick(catalogue.filter(({ posts }) => posts));
    const body = huge(random);
    const reply = await client.request(...cut(post(name, body), random.below(4), random));
    const fitting = body.length > 1024 * 1024 ? [1] : [0, 1, 2, 4, 7];
    return [expectOneOf(statusOf(reply), fitting, name)];
  },
};

const paths = [
  '',
  '/',
  '//',
  '/api',
  '/api/',
  '/api//',
  '/api/../api/DeviceStatus',
  '/%61pi/DeviceStatus',
  '/x/',
  '/docs/..',
];

/** Unknown names with GET and POST. */
export const unknownNames: Category = {
  name: 'unknown names',
  weight: 6,
  run: async (client, random, catalogue) => {
    const name = random.pick([
      encodeURIComponent(unknownName(random)),
      unknownName(random).replaceAll('\u0000', ''),
      `${random.pick(catalogue).name}${random.pick(['%20', '/', '.', '%00', 'x'])}`,
      random.pick(catalogue).name.toUpperCase().concat('_'),
      'a'.repeat(random.pick([80, 8000])),
    ]);
    const request = random.percent(50)
      ? get(`/api/${name}`)
      : post(name, random.pick(['', '{}', '{"data":1}', '[', 'x']));
    return [expectOneOf(statusOf(await client.request(request)), [5], name)];
  },
};

/** Pages outside the interface, and similar paths. */
export const pages: Category = {
  name: 'pages',
  weight: 3,
  run: async (client, random) => {
    const path = random.pick([
      ...[
        '/healthz',
        '/x/stored',
        '/openapi.json',
        '/docs',
        '/',
        '/__proto__',
        '/constructor',
        '/docs/__proto__',
      ],
      ...paths,
    ]);
    const line = random.percent(80) ? 'GET' : random.pick(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND']);
    const connection = await client.open();
    client.latest = [Buffer.from(`${line} ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)];
    await connection.send(...client.latest);
    return outcomesOf(await connection.replies());
  },
};
