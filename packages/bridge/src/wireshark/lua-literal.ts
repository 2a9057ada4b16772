/** A value that can be written in Lua. Members and items that are undefined are left out. */
export type LuaValue =
  | string
  | number
  | boolean
  | undefined
  | readonly LuaValue[]
  | ReadonlyMap<number, LuaValue>
  | { readonly [name: string]: LuaValue };

/** Returns a value as an expression of Lua: a table for a list, a map or an object. */
export function luaLiteral(value: LuaValue): string {
  if (value === undefined) return 'nil';
  if (typeof value === 'string') return luaString(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (isList(value)) return `{ ${value.map(luaLiteral).join(', ')} }`;
  const entries = isMap(value)
    ? [...value].map(([key, item]) => [`[${key}]`, item] as const)
    : Object.entries(value).map(([key, item]) => [luaKey(key), item] as const);
  return `{ ${entries
    .filter(([, item]) => item !== undefined)
    .map(([key, item]) => `${key} = ${luaLiteral(item)}`)
    .join(', ')} }`;
}

const utf8 = new TextEncoder();

/** Returns a string of Lua in ASCII. */
function luaString(text: string): string {
  const bytes = Array.from(utf8.encode(text), (byte) => {
    if (byte === 0x22 || byte === 0x5c) return `\\${String.fromCharCode(byte)}`;
    return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`;
  });
  return `"${bytes.join('')}"`;
}

const reserved = new Set(
  'and break do else elseif end false for function goto if in local nil not or repeat return then true until while'.split(
    ' ',
  ),
);

function luaKey(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) && !reserved.has(name) ? name : `[${luaString(name)}]`;
}

function isList(value: LuaValue): value is readonly LuaValue[] {
  return Array.isArray(value);
}

function isMap(value: LuaValue): value is ReadonlyMap<number, LuaValue> {
  return value instanceof Map;
}
