import type { Edition } from '@azimuth/model';
import { type OpenApiDocument, openApi } from '@azimuth/model/openapi';
import { designedGroups } from '@azimuth/test-support/interface/design-facts';
import { object, parse } from '@azimuth/test-support/json';
import { editions, newest } from '@azimuth/test-support/openapi-scanner';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, test } from 'vitest';

/** The document as it is served, to be read by others: nothing of it is ours any more. */
function served(edition: Edition): Record<string, unknown> {
  return object(parse(JSON.stringify(openApi(edition))));
}

/** The same, with the type that we give it. */
function described(edition: Edition): OpenApiDocument {
  const document: OpenApiDocument = JSON.parse(JSON.stringify(openApi(edition)));
  return document;
}

function operationsOf({ paths }: OpenApiDocument) {
  return Object.values(paths).flatMap((path) => Object.values(path));
}

describe('the description', () => {
  const validator = new Validator();

  test.each(editions)('of %s is valid OpenAPI 3.1', async (_, edition) => {
    expect(await validator.validate(served(edition))).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('is refused if it is not valid', async () => {
    const broken = { ...served(newest), info: { title: 'No version' } };
    expect(await validator.validate(broken)).toMatchObject({ valid: false });
  });

  test.each(editions)('of %s has no reference without a target', (_, edition) => {
    const text = JSON.stringify(openApi(edition));
    const { components } = described(edition);
    const there = Object.entries(components).flatMap(([kind, members]) =>
      Object.keys(members).map((name) => `#/components/${kind}/${name}`),
    );
    const meant = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, reference = '']) => reference);
    expect(meant.filter((reference) => !there.includes(reference))).toEqual([]);
    expect(there.filter((name) => name.startsWith('#/components/schemas/') && !meant.includes(name))).toEqual(
      [],
    );
  });

  // Generated clients name functions and types by them, mostly without regard to the case of their letters.
  test.each(editions)('of %s names no operation and no schema twice', (_, edition) => {
    const document = openApi(edition);
    const operations = operationsOf(document).map(({ operationId }) => operationId);
    for (const names of [operations, Object.keys(document.components.schemas)]) {
      const lower = names.map((name) => name.toLowerCase());
      expect(lower.filter((name, index) => lower.indexOf(name) !== index)).toEqual([]);
    }
  });

  test('has a tag for each of the 24 groups, and one for our extensions', () => {
    const tags = openApi(newest).tags.map(({ name }) => name);
    expect(tags.filter((name) => designedGroups.includes(name))).toEqual(designedGroups);
    expect(tags.at(-1)).toBe('x');
    const basic = openApi({ ...newest, variant: 'basic' }).tags.map(({ name }) => name);
    expect(basic).not.toContain('Detection history');
    expect(basic.at(-1)).toBe('x');
  });

  test('marks variables that are events, and methods that need a token', () => {
    const old = described({ release: '2.2.0', variant: 'full' });
    expect(openApi(newest).paths['/api/DeviceStatus']?.get).toMatchObject({ 'x-event': true });
    expect(old.paths['/api/DeviceStatus']?.get).not.toHaveProperty('x-event');
    expect(openApi(newest).paths['/api/update']?.put).toMatchObject({ security: [{ sessionToken: [] }] });
    expect(old.paths['/api/update']?.put).not.toHaveProperty('security');
    expect(old.components).not.toHaveProperty('securitySchemes');
  });

  test('describes files with their parts, their query and their HTTP errors', () => {
    const { paths } = openApi(newest);
    expect(paths['/api/parameterbackup']?.put?.requestBody?.content['multipart/form-data']).toMatchObject({
      schema: { required: ['datei'], properties: { datei: { format: 'binary' } } },
    });
    const download = paths['/api/crown/file']?.get;
    expect(download?.parameters).toMatchObject([{ name: 'filePath', in: 'query', required: true }]);
    expect(Object.keys(download?.responses ?? {})).toEqual(['200', '400', '404', '429', '500']);
    const backup = paths['/api/parameterbackup']?.get;
    expect(Object.keys(backup?.responses ?? {})).toEqual(['200', '403', '404', '429']);
  });

  test('names the values of enumerations, and units', () => {
    const { schemas } = openApi(newest).components;
    expect(schemas.EtherAddressingMode).toMatchObject({
      'x-enum-varnames': ['TX_IP_STATIC', 'TX_IP_DHCP'],
      description: expect.stringMatching(/0 TX_IP_STATIC, 1 TX_IP_DHCP$/),
    });
    expect(schemas.TSCTCupdatetime).toMatchObject({ 'x-unit': 's' });
  });

  test('contains no alias', () => {
    expect(openApi(newest).paths).toHaveProperty(['/api/EtherLegacyScanMode']);
    expect(JSON.stringify(openApi(newest))).not.toContain('EtherCoLaScanMode');
  });
});
