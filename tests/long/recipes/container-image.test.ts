import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '@azimuth/test-support/free-port';
import { array, isObject, number, object, parse, string } from '@azimuth/test-support/json';
import { end, root, run } from '@azimuth/test-support/recipe-program';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { ContainerImage } from './container-image.js';

const folder = mkdtempSync(join(tmpdir(), 'azimuth-image-'));
const deploy = join(root, 'deploy');
let image: ContainerImage;

beforeAll(async () => {
  image = await ContainerImage.build(join(deploy, 'Dockerfile'), root, folder);
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A container of the image, on free ports of loopback. */
async function container(added: Readonly<Record<string, string>> = {}) {
  const port = await freePort();
  const network = {
    AZIMUTH_HOST: '127.0.0.1',
    AZIMUTH_PORT: String(port),
    AZIMUTH_HTTPS_PORT: '0',
    AZIMUTH_LEGACY_A_PORT: '0',
    AZIMUTH_LEGACY_B_PORT: '0',
    AZIMUTH_SEARCH_PORT: '0',
    AZIMUTH_JSON: 'on',
  };
  const env = image.environment({ ...added, ...network });
  const [program = '', ...words] = image.result.command;
  const child: ChildProcess = spawn(program, words, {
    cwd: image.result.folder,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => end(child));
  if (child.stdout === null) throw new Error('no output to read');
  for await (const line of createInterface({ input: child.stdout })) {
    expect(number(object(parse(line)).http)).toBe(port);
    return { child, env, url: `http://127.0.0.1:${port}` };
  }
  throw new Error('the scanner did not start');
}

async function value(url: string, name: string): Promise<unknown> {
  const response = await fetch(`${url}/api/${name}`);
  return object(object(await response.json()).data)[name];
}

test('the image is small: the packed file and nothing of its build', () => {
  expect(readdirSync(image.result.folder).sort()).toEqual(['data', 'opt']);
  const modules = join(image.result.folder, 'opt', 'azimuth', 'node_modules');
  expect(readdirSync(modules).filter((name) => !name.startsWith('.'))).toHaveLength(1);
});

test('its user is not root, and owns the folder of the scanner', () => {
  expect(image.result.user).toBe('node');
  const dockerfile = readFileSync(join(deploy, 'Dockerfile'), 'utf8');
  expect(dockerfile).toContain(
    `chown ${image.result.user}:${image.result.user} ${image.result.env.AZIMUTH_DATA}`,
  );
  expect(dockerfile).toContain(`VOLUME ${image.result.env.AZIMUTH_DATA}\n`);
});

test('a container serves, is healthy, and is not when its scanner has ended', async () => {
  const { child, env, url } = await container();
  expect(await value(url, 'DeviceStatus')).toBe(3);
  expect((await fetch(`${url}/`)).status).toBe(200);
  expect(readdirSync(join(image.result.folder, 'data'))).toContain('identity.json');
  const check = ['sh', '-c', image.result.health];
  expect((await run(check, folder, env)).code).toBe(0);
  await end(child);
  expect(child.exitCode).toBe(0);
  expect((await run(check, folder, env)).code).not.toBe(0);
});

test('the scanners of compose.yaml run, each with its own ports, volume and serial number', async () => {
  const compose = object(parseYaml(readFileSync(join(deploy, 'compose.yaml'), 'utf8'), { merge: true }));
  const services = Object.entries(object(compose.services)).map(([name, service]) => {
    const { build, environment, ports, volumes } = object(service);
    return { name, build, environment, ports, volumes };
  });
  expect(services).toHaveLength(3);
  const published = services.flatMap(({ ports }) => array(ports).map(string));
  expect(new Set(published.map((port) => port.split(':')[1])).size).toBe(9);
  for (const port of published) expect(port).toMatch(/^127\.0\.0\.1:/);
  for (const { name, build, environment, volumes } of services) {
    expect(join(deploy, string(object(build).context), string(object(build).dockerfile))).toBe(
      join(deploy, 'Dockerfile'),
    );
    expect(Object.keys(object(compose.volumes))).toContain(name);
    expect(volumes).toEqual([`${name}:/data`]);
    if (!isObject(environment)) throw new Error(`${name} has no environment`);
    const settings = Object.fromEntries(
      Object.entries(environment).map(([key, each]) => [key, string(each)]),
    );
    const data = join(folder, 'volumes', name);
    mkdirSync(data, { recursive: true });
    const { url } = await container({ ...settings, AZIMUTH_DATA: data });
    expect(await value(url, 'SerialNumber')).toBe(settings.AZIMUTH_SERIAL);
  }
});
