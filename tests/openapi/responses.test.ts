import { type Edition, endpointsOf } from '@azimuth/model';
import { type OpenApiDocument, openApi } from '@azimuth/model/openapi';
import { fewestIn } from '@azimuth/test-support/edition-scanner';
import { object, parse } from '@azimuth/test-support/json';
import { editions, fetchJson, newest, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, test } from 'vitest';

/** Checks answers against the document alone, as a tool of somebody else would. */
class Checker {
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #document: OpenApiDocument;

  constructor(edition: Edition) {
    this.#document = openApi(edition);
    this.#ajv.addSchema(object(parse(JSON.stringify(this.#document))), 'openapi');
  }

  /** What is wrong with an answer, by the schema of the HTTP 200 answer; empty where nothing is. */
  faults(path: string, verb: 'get' | 'post', answer: unknown): string[] {
    const direct = ['paths', path, verb, 'responses', '200'];
    const shared = ['components', 'responses', 'Done'];
    const response = this.#document.paths[path]?.[verb]?.responses[200];
    const at = response !== undefined && '$ref' in response ? shared : direct;
    const pointer = [...at, 'content', 'application/json', 'schema'].map((step) =>
      encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const check = this.#ajv.compile({ $ref: `openapi#/${pointer.join('/')}` });
    return check(answer)
      ? []
      : (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  }
}

describe.each(editions)('answers of %s', (_, edition) => {
  const scanner = scannerOf(edition);
  const checker = new Checker(edition);

  test('to reads are as described and contain the value', async () => {
    // Metrics are no JSON.
    const reads = Object.entries(openApi(edition).paths).filter(
      ([path, { get }]) => path !== '/metrics' && get?.operationId.startsWith('read'),
    );
    expect(reads.length).toBeGreaterThan(fewestIn(edition, 50));
    for (const [path] of reads) {
      const answer = object(await fetchJson(scanner() + path));
      expect(checker.faults(path, 'get', answer), path).toEqual([]);
      if (path.startsWith('/api/')) expect(answer, path).toHaveProperty(['data', path.slice('/api/'.length)]);
    }
  });

  test('to refused calls and writes are as described', async () => {
    const refusing = [...endpointsOf(edition).values()].filter(({ kind, facts }) =>
      kind === 'variable' ? facts.write !== undefined : facts.level !== 'open',
    );
    expect(refusing.length).toBeGreaterThan(fewestIn(edition, 40));
    for (const path of [...refusing.map(({ name }) => `/api/${name}`), '/api/getChallenge']) {
      const response = await fetch(scanner() + path, { method: 'POST' });
      const answer: unknown = await response.json();
      expect(answer, path).not.toHaveProperty('data');
      expect(checker.faults(path, 'post', answer), path).toEqual([]);
    }
  });
});

test('a reply that differs from the description is detected', () => {
  const checker = new Checker(newest);
  const header = { status: 0, message: 'Ok' };
  const faults = (data: unknown) => checker.faults('/api/LocationName', 'get', { header, data });
  expect(faults({ LocationName: 'Gate 3' })).toEqual([]);
  expect(faults({ LocationName: 3 })).not.toEqual([]);
  expect(faults({ LocationName: 'x'.repeat(33) })).not.toEqual([]);
  expect(faults({ locationName: 'Gate 3' })).not.toEqual([]);
  expect(checker.faults('/api/LocationName', 'get', { header: { status: 12, message: '' } })).not.toEqual([]);
  expect(checker.faults('/api/LocationName', 'post', { header, data: {} })).not.toEqual([]);
});
