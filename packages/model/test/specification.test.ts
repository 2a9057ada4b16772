import { notation } from '@azimuth/test-support/interface/type-notation';
import { describe, expect, test } from 'vitest';
import {
  allEndpoints,
  allFiles,
  type Declaration,
  FileEndpoint,
  firmwareUpdate,
  Method,
  statuses,
  Variable,
} from '../src/index.js';
import {
  namedOnly,
  newerNames,
  type Specified,
  specified,
  specifiedStatuses,
} from './specification-facts.js';

const declared = new Map<string, Declaration>(
  [...allEndpoints, ...allFiles].map((endpoint) => [endpoint.name, endpoint]),
);

function find(name: string): Declaration {
  const endpoint = declared.get(name);
  if (endpoint === undefined) throw new Error(`${name} is not declared`);
  return endpoint;
}

/** What the model says of an endpoint, in the words of the specification table. */
function modelled(endpoint: Declaration): Specified {
  const { name } = endpoint;
  const since = endpoint.facts.since === undefined ? {} : { since: endpoint.facts.since };
  if (endpoint instanceof FileEndpoint) return { name, verbs: endpoint.verbs.join(' '), ...since };
  if (endpoint instanceof Method) {
    return {
      name,
      verbs: 'POST',
      level: endpoint.facts.level,
      request: notation(endpoint.request.shape),
      response: notation(endpoint.response.shape),
      ...since,
    };
  }
  if (!(endpoint instanceof Variable)) throw new Error(`${name} is of no kind known`);
  const { write, unit } = endpoint.facts;
  return {
    name,
    verbs: write === undefined ? 'GET' : 'GET POST',
    type: notation(endpoint.type.shape),
    initial: endpoint.type.initial,
    level: write,
    unit,
    ...since,
  };
}

/** The defaults of members: of a struct variable, or of a method's request and response. */
function defaultsOf(endpoint: Declaration): Readonly<Record<string, unknown>> {
  if (endpoint instanceof Variable) return { ...endpoint.type.initial };
  if (endpoint instanceof Method) return { ...endpoint.request.initial, ...endpoint.response.initial };
  return {};
}

describe('the specification', () => {
  const rows = specified.map((row) => [row.name, row] as const);

  test.each(rows)('says of %s what the model says', (name, { defaults = {}, ...row }) => {
    expect(modelled(find(name))).toMatchObject(row);
    expect(defaultsOf(find(name))).toMatchObject(defaults);
  });

  test('names nothing twice in its table', () => {
    const names = specified.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test.each(namedOnly)('names %s', (name) => {
    expect(find(name).name).toBe(name);
  });

  test.each(newerNames)('counts %s among what only newer firmware has', (name) => {
    expect(find(name).isIn({ release: '1.4.0', variant: 'full' })).toBe(false);
    expect(find(name).isIn({ release: '2.4.4', variant: 'full' })).toBe(true);
  });

  const ofAllReleases = specified.filter(
    ({ name, since }) => !newerNames.includes(name) && since === undefined,
  );

  test.each(ofAllReleases.map(({ name }) => name))('has %s in every release', (name) => {
    expect(find(name).facts).not.toHaveProperty('since');
    expect(find(name).facts).not.toHaveProperty('until');
  });

  test('limits a firmware file to 100 MB', () => {
    expect(firmwareUpdate.members.update.facts.verbs.PUT?.maxBytes).toBe(104_857_600);
  });

  test('has twelve statuses', () => {
    const table = Object.values(statuses).map(({ code, message }) => [code, message]);
    expect(table).toEqual(specifiedStatuses);
  });
});
