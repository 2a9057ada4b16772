import { allEndpoints, allFiles, allVariables, type Edition, endpointsOf, filesOf } from '@azimuth/model';
import { type HttpResponse, statusOf } from '@azimuth/test-support/client';
import { editions, fewestIn, scannerOf } from '@azimuth/test-support/edition-scanner';
import { describe, expect, test } from 'vitest';

const verbs = ['GET', 'POST', 'PUT'] as const;
type Verb = (typeof verbs)[number];

/** Every name that the model knows, in whatever release. */
const names = [
  ...allEndpoints.map(({ name }) => name),
  ...allVariables.flatMap(({ facts }) => facts.aliases ?? []),
  ...allFiles.map(({ name }) => name),
];
const requests = names.flatMap((name) => verbs.map((verb) => ({ name, verb })));

/** Does this edition know the name, and the verb for it? */
function isServed(edition: Edition, name: string, verb: Verb): boolean {
  const file = filesOf(edition).get(name);
  if (file !== undefined) return file.verbs.includes(verb);
  const endpoint = endpointsOf(edition).get(name);
  if (endpoint === undefined || verb === 'PUT') return false;
  return endpoint.kind === 'variable' || verb === 'POST';
}

/** What a request without a login is answered, by the order of the checks; undefined where that is up to its act. */
function statusWithoutLogin(edition: Edition, name: string, verb: Verb): number | undefined {
  if (!isServed(edition, name, verb)) return 5;
  const endpoint = endpointsOf(edition).get(name);
  if (endpoint === undefined) return undefined;
  if (endpoint.kind === 'method') return endpoint.facts.level === 'open' ? undefined : 4;
  if (verb === 'GET') return 0;
  return endpoint.facts.write === undefined ? 8 : 4;
}

/** The status of the envelope; the HTTP status in words where there is no envelope, as for a file. */
function answered(reply: HttpResponse): unknown {
  return reply.headers['content-type'] === 'application/json' && reply.httpStatus === 200
    ? statusOf(reply)
    : `HTTP ${reply.httpStatus}`;
}

describe.each(editions)('a scanner of %s', (_, edition) => {
  const scanner = scannerOf(edition);

  test('serves the endpoints of its edition, refuses calls without a login, and knows no other names', async () => {
    const wrong: string[] = [];
    const seen = new Map<unknown, number>();
    for (const { name, verb } of requests) {
      const path = `/api/${name}`;
      const status = answered(await scanner().client.send({ method: verb, path }));
      const expected = statusWithoutLogin(edition, name, verb);
      seen.set(status, (seen.get(status) ?? 0) + 1);
      const right = expected === undefined ? status !== 5 : status === expected;
      if (!right) wrong.push(`${verb} ${name}: ${status} instead of ${expected ?? 'an answer'}`);
    }
    expect(wrong).toEqual([]);
    for (const [status, least] of [
      [0, 40],
      [4, fewestIn(edition, 40)],
      [5, 150],
      [8, 15],
    ] as const) {
      expect(seen.get(status), `status ${status}`).toBeGreaterThan(least);
    }
  });

  test('requires a session token only where its release does', async () => {
    for (const file of filesOf(edition).values()) {
      for (const verb of file.verbs) {
        const reply = await scanner().client.send({ method: verb, path: `/api/${file.name}` });
        const what = `${verb} ${file.name}`;
        if (file.needsToken(verb, edition.release)) expect(reply.httpStatus, what).toBe(403);
        else expect(reply.httpStatus, what).not.toBe(403);
      }
    }
  });
});
