// How rolldown takes our packages from their sources: for the programs of the bundle, and for the packed libraries.
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Rolldown adds `import` or `require` as each place needs it. */
export const resolve = {
  conditionNames: ['source', 'node', 'default'],
  // Its CommonJS form requires its parts by computed names, which cannot be bundled.
  alias: { 'jsonc-parser': join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js') },
};

/** Without these, each start looks for optional parts of ws in all folders above. They are native code, which is not used. */
export const transform = {
  define: { 'process.env.WS_NO_BUFFER_UTIL': '"1"', 'process.env.WS_NO_UTF_8_VALIDATE': '"1"' },
};

/**
 * Modules find files next to their source by the place of the source, not by that of the bundle.
 * @param bundle folder of the bundle, in the clone or in a folder of the same form
 */
export function filesOutside(bundle) {
  return {
    name: 'files-outside',
    transform(code, file) {
      if (!file.startsWith(join(root, 'packages') + sep) || !code.includes('import.meta.url')) return null;
      const place = relative(bundle, file).replaceAll(sep, '/');
      return {
        code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`),
        map: null,
      };
    },
  };
}
