import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { array, isObject, object, string } from '@azimuth/test-support/json';
import { describe, expect, it } from 'vitest';
import { at, deploy, list, resources, yamlOf } from './documents.js';

const compose = yamlOf('compose-fleet.yaml');
const text = readFileSync(join(deploy, 'compose-fleet.yaml'), 'utf8');
const services = Object.entries(object(compose.services)).map(([name, json]) => ({
  name,
  json: object(json),
}));
const withCommand = (word: string) => services.filter(({ json }) => commandOf(json)[1] === word);
const commandOf = (json: unknown) => array(at(json, 'command') ?? []).map(string);

/** `HOST:CONTAINER…`, as ports and volumes are written. */
const parts = (value: unknown) => string(value).split(':');

describe('deploy/compose-fleet.yaml', () => {
  it('has a database, three workers and two gateways, and what they need first', () => {
    expect(services.map(({ name }) => name)).toEqual([
      'database',
      'migrate',
      'apply',
      ...withCommand('worker').map(({ name }) => name),
      ...withCommand('gateway').map(({ name }) => name),
    ]);
    expect(withCommand('worker')).toHaveLength(3);
    expect(withCommand('gateway')).toHaveLength(2);
  });

  it('waits only for what is there, and can come to be as it is waited for', () => {
    for (const { name, json } of services) {
      for (const [other, { condition }] of Object.entries(object(json.depends_on ?? {})).map(
        ([key, value]) => [key, object(value)] as const,
      )) {
        const found = services.find((each) => each.name === other);
        expect(found, `${name} waits for ${other}`).toBeDefined();
        if (condition === 'service_healthy') expect(at(found?.json, 'healthcheck', 'test')).toBeDefined();
        else {
          expect(condition).toBe('service_completed_successfully');
          expect(found?.json.restart).toBe('on-failure');
        }
      }
    }
  });

  it('mounts only volumes and files that are there, and has no volume that nobody mounts', () => {
    const mounted = services.flatMap(({ json }) => array(json.volumes ?? []).map((volume) => parts(volume)));
    const volumes = mounted.flatMap(([source = '']) => (source.startsWith('.') ? [] : [source]));
    for (const [source = ''] of mounted) {
      if (source.startsWith('.')) expect(existsSync(join(deploy, source)), source).toBe(true);
    }
    expect(volumes).toEqual(Object.keys(object(compose.volumes)));
  });

  it('has images with a version, or that are built here', () => {
    for (const { name, json } of services) {
      if (json.build === undefined) expect(json.image, name).toMatch(/:\d+\.\d+/);
      else {
        const { context, dockerfile } = object(json.build);
        expect(join(deploy, string(context), string(dockerfile))).toBe(join(deploy, 'Dockerfile'));
      }
    }
    const [database] = resources().filter(({ kind }) => kind === 'Cluster');
    const [, version] = parts(at(database?.json, 'spec', 'imageName'));
    expect(services.find(({ name }) => name === 'database')?.json.image).toContain(`postgres:${version}`);
  });

  it('opens ports to this computer alone, none of them twice', () => {
    const ports = services.flatMap(({ json }) => array(json.ports ?? []).map((port) => parts(port)));
    expect(new Set(ports.map(([host]) => host))).toEqual(new Set(['127.0.0.1']));
    expect(new Set(ports.map(([, port]) => port)).size).toBe(ports.length);
    expect(ports).toHaveLength(2);
  });

  it('has programs without root, rights and a disk that they may write to', () => {
    for (const { name, json } of services) {
      if (name === 'database') continue;
      expect(json, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
    }
  });

  it('has workers that say where they are, and asks each program at the port that it has', () => {
    for (const { name, json } of [...withCommand('worker'), ...withCommand('gateway')]) {
      const command = commandOf(json);
      const port = command[command.indexOf('--port') + 1];
      expect(array(at(json, 'healthcheck', 'test')).join(' ')).toContain(`127.0.0.1:${port}/readyz`);
      if (command[1] === 'worker')
        expect(at(json, 'environment', 'AZIMUTH_ADVERTISE')).toBe(`http://${name}:${port}`);
      else
        expect(
          list([json])
            .flatMap((each) => array(each.ports))
            .map((each) => parts(each)[2]),
        ).toEqual([port]);
    }
  });

  it('has no secret in it: each comes from outside, and is missed at once', () => {
    const secrets = services.flatMap(({ json }) =>
      Object.entries(isObject(json.environment) ? json.environment : {}).filter(([key]) =>
        /PASSWORD|KEY/.test(key),
      ),
    );
    expect(secrets.length).toBeGreaterThan(10);
    for (const [key, value] of secrets) expect(value, key).toMatch(/^\$\{\w+:\?[^}]+\}$/);
    expect(text).not.toMatch(/postgres:\/\/[^\s/]*:[^\s/@]*@/);
  });
});
