import { describe, expect, test } from 'vitest';
import { newest, scannerOf } from './scanner.js';

const scanner = scannerOf(newest);

const types: Readonly<Record<string, string>> = {
  'docs/start.js': 'text/javascript; charset=utf-8',
  'docs/swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'docs/swagger-ui.css': 'text/css; charset=utf-8',
  'docs/favicon-32x32.png': 'image/png',
};

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

describe('the page under /docs', () => {
  const page = async () => (await fetch(`${scanner()}/docs`)).text();

  test('is a page', async () => {
    const response = await fetch(`${scanner()}/docs`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('names files that are served, each as what it is', async () => {
    const named = [...(await page()).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name = '']) => name);
    expect(named.filter((name) => name !== 'openapi.json').sort()).toEqual(Object.keys(types).sort());
    for (const [name, type] of Object.entries(types)) {
      const response = await fetch(new URL(name, `${scanner()}/docs`));
      expect(response.status, name).toBe(200);
      expect(response.headers.get('content-type'), name).toBe(type);
      expect((await response.arrayBuffer()).byteLength, name).toBe(
        Number(response.headers.get('content-length')),
      );
    }
  });

  test('has no script and no style in itself, and leads nowhere else', async () => {
    const text = await page();
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/);
    const start = await (await fetch(`${scanner()}/docs/start.js`)).text();
    expect(text + start).not.toMatch(/https?:|\/\//);
    expect(start).toContain("url: 'openapi.json'");
    expect(start).toContain('validatorUrl: null');
  });

  test.each(['', ...Object.keys(types).map((name) => name.slice('docs'.length))])(
    'forbids whatever it does not need: /docs%s',
    async (name) => {
      const policy = policyOf(await fetch(`${scanner()}/docs${name}`));
      expect(policy.get('default-src')).toBe("'none'");
      expect(policy.get('script-src')).toBe("'self'");
      expect(policy.get('style-src')).toBe("'self'");
      expect(policy.get('connect-src')).toBe("'self'");
      expect(policy.get('frame-ancestors')).toBe("'none'");
      expect([...policy.values()].join(' ')).not.toMatch(/https?:|\*|unsafe-eval/);
    },
  );

  test.each([
    'package.json',
    'index.html',
    'swagger-ui.js',
    '..%2Fpackage.json',
    'start.js/',
    '',
    'toString',
  ])('serves nothing else of its folder: /docs/%s', async (name) => {
    expect((await fetch(`${scanner()}/docs/${name}`)).status).toBe(404);
  });

  test.each(['/docs', '/docs/start.js', '/openapi.json'])('is only read: %s', async (path) => {
    expect((await fetch(scanner() + path, { method: 'POST' })).status).toBe(405);
  });
});
