import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { allEndpoints, allFiles, type Edition, eventsOf, extensionsOf, groups } from '@azimuth/model';
import { Client } from '@azimuth/test-support/client';
import { array, isObject, object, parse, string } from '@azimuth/test-support/json';
import { editions, fetchJson, newest, scannerOf } from '@azimuth/test-support/openapi-scanner';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

const scanner = scannerOf(newest);

const script = 'text/javascript; charset=utf-8';
const types: Readonly<Record<string, string>> = {
  'docs/page.js': script,
  'docs/entry.js': script,
  'docs/element.js': script,
  'docs/scanner.js': script,
  'docs/page.css': 'text/css; charset=utf-8',
  'docs/icon.svg': 'image/svg+xml',
  'docs/interface.json': 'application/json',
  'docs/hashes/sha2.js': script,
  'docs/hashes/_md.js': script,
  'docs/hashes/_u64.js': script,
  'docs/hashes/utils.js': script,
};
const scripts = Object.keys(types).filter((name) => types[name] === script);

async function textOf(name: string): Promise<string> {
  return (await fetch(`${scanner()}/${name}`)).text();
}

/** The policy of an answer, as its directives. */
function policyOf(response: Response): Map<string, string> {
  const text = response.headers.get('content-security-policy') ?? '';
  return new Map(
    text.split(';').map((directive) => {
      const [name = '', ...values] = directive.trim().split(' ');
      return [name, values.join(' ')];
    }),
  );
}

/** What a page, style or script loads, as addresses below the scanner. */
function loadedBy(name: string, text: string): string[] {
  const base = new URL(name, 'http://scanner/');
  const code = text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
  const named = [...code.matchAll(/(?:\b(?:src|href)=|\bfrom |\bimport\(|\bfetch\()["']([^"']+)["']/g)];
  return named.map(([whole, address = '']) => {
    const from = whole.startsWith('fetch') ? new URL('http://scanner/docs') : base;
    return new URL(address, from).pathname.slice(1);
  });
}

/** Descriptions to which the page refers, and which it does not load. */
const documents = ['openapi.json', 'asyncapi.json'];

describe('the page under /docs', () => {
  test('is a page', async () => {
    const response = await fetch(`${scanner()}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('loads only files that are served, each with its content type', async () => {
    const loaded = new Set<string>();
    for (let waiting = ['docs']; waiting.length > 0; ) {
      const found = await Promise.all(waiting.map(async (name) => loadedBy(name, await textOf(name))));
      waiting = [...new Set(found.flat())].filter((name) => !loaded.has(name) && !documents.includes(name));
      for (const name of waiting) loaded.add(name);
    }
    expect([...loaded].sort()).toEqual(Object.keys(types).sort());
    for (const [name, type] of Object.entries(types)) {
      const response = await fetch(`${scanner()}/${name}`, { headers: { 'Accept-Encoding': 'identity' } });
      expect(response.status, name).toBe(200);
      expect(response.headers.get('content-type'), name).toBe(type);
      expect((await response.arrayBuffer()).byteLength, name).toBe(
        Number(response.headers.get('content-length')),
      );
    }
  });

  test('uses relative addresses, so that a proxy can add a path', async () => {
    for (const name of ['docs', ...scripts.filter((path) => !path.includes('/hashes/'))]) {
      const text = await textOf(name);
      expect(text, name).not.toMatch(/(?:src=|href=|from |import\(|fetch\()["'`](?:\/|[a-z]+:)/);
    }
  });

  test('has no inline script or style, and no links to other sites', async () => {
    const text = await textOf('docs');
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/);
    for (const name of ['docs', 'docs/page.css', ...scripts.filter((path) => !path.includes('/hashes/'))]) {
      const own = await textOf(name);
      expect(own, name).not.toMatch(/https?:\/\//);
      expect(own, name).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b/);
    }
  });

  test('takes less than 25 KB compressed, and less than 45 KB with a login', async () => {
    let sum = 0;
    let ofHashes = 0;
    for (const name of ['docs', ...Object.keys(types)]) {
      const headers = { 'Accept-Encoding': 'gzip, deflate, br' };
      const client = new Client(Number(new URL(scanner()).port));
      const reply = await client.send({ method: 'GET', path: `/${name}`, headers });
      expect(reply.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'Accept-Encoding' });
      sum += Number(reply.headers['content-length']);
      if (name.includes('/hashes/')) ofHashes += Number(reply.headers['content-length']);
    }
    expect(sum - ofHashes).toBeLessThan(25_000);
    expect(sum).toBeLessThan(45_000);
  });

  test('is compressed only for clients that accept it', async () => {
    const plain = await textOf('docs/page.css');
    const asked = async (encodings: string) =>
      fetch(`${scanner()}/docs/page.css`, { headers: { 'Accept-Encoding': encodings } });
    for (const encodings of ['identity', 'br', 'gzip;q=0', 'gzip; q=0.0, br']) {
      const response = await asked(encodings);
      expect(response.headers.get('content-encoding'), encodings).toBeNull();
      expect(await response.text()).toBe(plain);
    }
    expect((await asked('br;q=1, gzip;q=0.5')).headers.get('content-encoding')).toBe('gzip');
    expect(gunzipSync(await packed('/docs/page.css')).toString()).toBe(plain);
  });

  test.each(['', ...Object.keys(types).map((name) => name.slice('docs'.length))])(
    'has a Content-Security-Policy that allows only what it needs: /docs%s',
    async (name) => {
      const policy = policyOf(await fetch(`${scanner()}/docs${name}`));
      for (const directive of ['default-src', 'base-uri', 'form-action', 'frame-ancestors']) {
        expect(policy.get(directive)).toBe("'none'");
      }
      for (const directive of ['script-src', 'style-src', 'img-src', 'connect-src']) {
        expect(policy.get(directive)).toBe("'self'");
      }
      expect([...policy.values()].join(' ')).not.toMatch(/https?:|\*|unsafe|data:/);
    },
  );

  test.each([
    'package.json',
    'index.html',
    'tsconfig.json',
    'hashes.d.ts',
    'hashes/',
    'hashes/legacy.js',
    'hashes/..%2Fpage.js',
    'hashes/../page.js',
    '..%2Fpackage.json',
    'page.js/',
    '',
    'toString',
  ])('serves no other file of its folders: /docs/%s', async (name) => {
    const reply = await new Client(Number(new URL(scanner()).port)).send({
      method: 'GET',
      path: `/docs/${name}`,
    });
    expect(reply.httpStatus).toBe(404);
  });

  test.each(['/docs', '/docs/page.js', '/docs/interface.json', '/openapi.json', '/asyncapi.json'])(
    'can only be read: %s',
    async (path) => {
      expect((await fetch(scanner() + path, { method: 'POST' })).status).toBe(405);
    },
  );
});

async function packed(path: string): Promise<Buffer> {
  const { get } = await import('node:http');
  return new Promise((resolve, reject) => {
    get(scanner() + path, { headers: { 'Accept-Encoding': 'gzip' } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    }).on('error', reject);
  });
}

describe.each(editions)('the page of %s', (_, edition: Edition) => {
  const served = scannerOf(edition);

  async function catalogue() {
    const json = object(await fetchJson(`${served()}/docs/interface.json`));
    const entries = array(json.groups).flatMap((group) =>
      array(object(group).entries).map((entry) => ({ group: string(object(group).name), ...object(entry) })),
    );
    return { json, entries: entries.map((entry): Record<string, unknown> => entry) };
  }

  test('shows everything that this edition serves, by group, and nothing else', async () => {
    const { json, entries } = await catalogue();
    expect(json).toMatchObject(edition);
    const declared = [...allEndpoints, ...allFiles].filter((one) => one.isIn(edition));
    const ofGroups = entries.filter(({ group }) => group !== 'Extensions');
    expect(ofGroups.map(({ name, group, kind }) => [name, group, kind]).sort()).toEqual(
      declared.map(({ name, group, kind }) => [name, group, kind]).sort(),
    );
    const extensions = entries.filter(({ group }) => group === 'Extensions').map(({ name }) => name);
    for (const name of extensionsOf(edition).keys()) expect(extensions).toContain(`x/${name}`);
    const order = groups
      .map(({ name }) => name)
      .filter((name) => ofGroups.some(({ group }) => group === name));
    expect([...new Set(ofGroups.map(({ group }) => group))]).toEqual(order);
  });

  test('shows text, type, default and write level of each variable, and which variables are events', async () => {
    const { entries } = await catalogue();
    const events = eventsOf(edition);
    for (const endpoint of allEndpoints.filter((one) => one.isIn(edition))) {
      const entry = entries.find(({ name, group }) => name === endpoint.name && group !== 'Extensions') ?? {};
      const loss = endpoint.kind === 'method' && endpoint.loss !== undefined ? ` ${endpoint.loss}` : '';
      expect(entry.text, endpoint.name).toBe(endpoint.facts.text + loss);
      if (endpoint.kind === 'method') {
        expect(string(entry.level), endpoint.name).toMatch(/^callable /);
        expect(isObject(entry.example), endpoint.name).toBe(endpoint.hasRequest);
        continue;
      }
      const { write } = endpoint.facts;
      expect(entry.level, endpoint.name).toBe(write === undefined ? undefined : `writable by ${write}`);
      expect(entry.event ?? false, endpoint.name).toBe(events.has(endpoint.name));
      for (const row of array(entry.takes)) {
        const [at, type] = array(row);
        expect(string(at)).toMatch(/^`.+`$/);
        expect(string(type)).toMatch(/\w/);
      }
      expect(array(entry.takes).length, endpoint.name).toBeGreaterThan(0);
    }
  });

  test('shows paths that are served', async () => {
    const { entries } = await catalogue();
    for (const { kind, path } of entries) {
      if (kind !== 'variable' && kind !== 'page') continue;
      const { status } = await fetch(`${served()}/${string(path)}`);
      expect([200, 404, 426], string(path)).toContain(status);
    }
  });
});

/** What the page knows of the scanner, out of the files that it loads, asked from the page at this address. */
async function asPage(address: string) {
  const folder = mkdtempSync(join(tmpdir(), 'azimuth-page-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const name of scripts) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), await textOf(name));
  }
  const { fetch: plain } = globalThis;
  const asked: string[] = [];
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) => {
    asked.push(path);
    return plain(new URL(path, `${address}/docs`), init);
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const module: Record<string, unknown> = await import(pathToFileURL(join(folder, 'docs/scanner.js')).href);
  const call = async (name: string, ...given: readonly unknown[]) => {
    const act = module[name];
    if (typeof act !== 'function') throw new Error(`no ${name}`);
    return object(await act(...given));
  };
  return { call, asked };
}

describe('a request from the page', () => {
  const service = { user: 'Service', password: 'servicelevel' };

  test('reads, logs in by challenge and response, writes, calls, and shows the reason of a refusal', async () => {
    const { call, asked } = await asPage(scanner());
    expect((await call('send', 'api/LocationName', { LocationName: 'Gäte 3' }, service)).status).toBe(0);
    expect(await call('read', 'api/LocationName')).toMatchObject({
      json: { data: { LocationName: 'Gäte 3' } },
    });
    expect(await call('send', 'api/WriteEeprom', undefined, service)).toMatchObject({
      json: { data: { Success: true } },
    });
    expect(await call('send', 'api/GetWebserverEnabled', undefined, undefined)).toMatchObject({ status: 0 });
    const fields = object(object((await call('read', 'x/fields')).json).data).fields;
    expect((await call('send', 'x/fields', { fields }, service)).status).toBe(0);
    const refused = await call('send', 'api/LocationName', { LocationName: 'x'.repeat(99) }, service);
    expect([refused.status, string(refused.detail)]).toEqual([7, expect.stringContaining('LocationName')]);
    const wrong = await call('send', 'api/LocationName', { LocationName: '' }, { ...service, password: 'ö' });
    expect(wrong).toMatchObject({ status: 4, detail: 'Access Denied' });
    // What was sent went to where the page is from, and the password went nowhere.
    expect(asked.filter((path) => !/^(?:api|x)\/\w+$/.test(path))).toEqual([]);
  });

  test('sends protected requests one after the other, as a challenge is valid for one POST', async () => {
    const { call } = await asPage(scanner());
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        call('send', 'api/LocationName', { LocationName: `${index}` }, service),
      ),
    );
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 0));
    expect(parse(await textOf('api/LocationName'))).toMatchObject({ data: { LocationName: '7' } });
  });

  test('shows the reply if it is not a reply of the interface', async () => {
    const { call } = await asPage(scanner());
    await expect(call('read', 'nothing')).rejects.toThrow('HTTP 404: Nothing is at /nothing');
  });
});
