import { array, isObject, object, string } from '@azimuth/test-support/json';
import { Ajv } from 'ajv';
import { expect } from 'vitest';

const text = { type: 'string', minLength: 1 };
const licenses = {
  type: 'array',
  minItems: 1,
  items: {
    oneOf: [
      {
        type: 'object',
        required: ['license'],
        additionalProperties: false,
        properties: {
          license: {
            type: 'object',
            required: ['id'],
            additionalProperties: false,
            // Those of SPDX that we have met.
            properties: { id: { enum: ['0BSD', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'] } },
          },
        },
      },
      {
        type: 'object',
        required: ['expression'],
        additionalProperties: false,
        properties: { expression: text },
      },
    ],
  },
};
const component = {
  type: 'object',
  required: ['type', 'name', 'version', 'bom-ref', 'purl', 'licenses'],
  additionalProperties: false,
  properties: {
    type: { enum: ['application', 'library', 'platform'] },
    'bom-ref': text,
    group: { type: 'string', pattern: '^@[a-z0-9-]+$' },
    name: { type: 'string', pattern: '^[a-z0-9._-]+$' },
    version: { type: 'string', pattern: '^\\d+\\.\\d+\\.\\d+' },
    scope: { enum: ['required', 'optional', 'excluded'] },
    hashes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['alg', 'content'],
        additionalProperties: false,
        properties: { alg: { const: 'SHA-512' }, content: { type: 'string', pattern: '^[a-f0-9]{128}$' } },
      },
    },
    licenses,
    purl: { type: 'string', pattern: '^pkg:(npm/(%40[a-z0-9-]+/)?|generic/)[a-z0-9._-]+@\\d+\\.\\d+\\.\\d+' },
  },
};

/** What CycloneDX 1.6 demands of the members that we use, and no other members. */
const schema = {
  type: 'object',
  required: ['bomFormat', 'specVersion', 'serialNumber', 'version', 'metadata', 'components', 'dependencies'],
  additionalProperties: false,
  properties: {
    $schema: { const: 'http://cyclonedx.org/schema/bom-1.6.schema.json' },
    bomFormat: { const: 'CycloneDX' },
    specVersion: { const: '1.6' },
    serialNumber: {
      type: 'string',
      pattern: '^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
    },
    version: { type: 'integer', minimum: 1 },
    metadata: {
      type: 'object',
      required: ['component'],
      additionalProperties: false,
      properties: { component },
    },
    components: { type: 'array', uniqueItems: true, items: component },
    dependencies: {
      type: 'array',
      uniqueItems: true,
      items: {
        type: 'object',
        required: ['ref'],
        additionalProperties: false,
        properties: { ref: text, dependsOn: { type: 'array', uniqueItems: true, items: text } },
      },
    },
  },
};
const isCycloneDx = new Ajv({ allErrors: true }).compile(schema);

/** Fails if a bill of materials breaks a rule of CycloneDX 1.6, or if a reference in it leads nowhere. */
export function expectCycloneDx(bill: unknown): void {
  isCycloneDx(bill);
  expect(isCycloneDx.errors ?? []).toEqual([]);
  const { components, dependencies, metadata } = object(bill);
  const refs = [object(metadata).component, ...array(components)].map((each) =>
    string(object(each)['bom-ref']),
  );
  const named = array(dependencies).flatMap((each) => {
    const { ref, dependsOn } = object(each);
    return [string(ref), ...(dependsOn === undefined ? [] : array(dependsOn).map(string))];
  });
  expect(new Set(named)).toEqual(new Set(refs));
}

/** The libraries of a bill: name and version. */
export function componentsOf(bill: unknown): readonly string[] {
  return array(object(bill).components).flatMap((each) => {
    if (!isObject(each) || each.type !== 'library') return [];
    const { group, name, version } = each;
    return [`${group === undefined ? '' : `${string(group)}/`}${string(name)}@${string(version)}`];
  });
}
