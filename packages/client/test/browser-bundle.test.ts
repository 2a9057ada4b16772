import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { expect, test } from 'vitest';

/** The client as a browser loads it. */
async function bundled(): Promise<{ readonly modules: readonly string[]; readonly code: string }> {
  const result = await build({
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source', 'browser', 'module', 'import', 'default'] },
    build: {
      write: false,
      minify: false,
      rollupOptions: {
        input: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
        preserveEntrySignatures: 'strict',
      },
    },
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) =>
    'output' in one ? one.output : [],
  );
  const chunks = outputs.filter((output) => output.type === 'chunk');
  return {
    modules: chunks.flatMap(({ moduleIds }) => moduleIds),
    code: chunks.map(({ code }) => code).join('\n'),
  };
}

test('the bundle for browsers uses their WebSocket, their fetch and no module of Node', async () => {
  const { modules, code } = await bundled();
  expect(modules.some((id) => id.endsWith('/src/events/open-browser-socket.ts'))).toBe(true);
  expect(modules.some((id) => id.endsWith('/src/exchange/fetch-exchange.ts'))).toBe(true);
  expect(
    modules.filter((id) =>
      /\/node_modules\/ws\/|\/(?:events|exchange)\/node\/|^node:|browser-external/.test(id),
    ),
  ).toEqual([]);
  expect(code).toContain('new WebSocket(');
  expect(code).not.toMatch(/from ["'](node:|ws["'])|require\(/);
});
