/** Longer documents than any tool sends are not looked at (bytes). */
const longest = 2048;
const mostItems = 64;

// None of these goes back over what it has read more than once: what comes may be made to be slow.
const document = /^(?:<\?xml[^<>]*\?>\s*)?<IPconfig\s([^<>]*)>(.*)<\/IPconfig\s*>$/s;
const element = /<Item\s([^<>]*)>/y;
const end = /\s*<\/Item\s*>/y;
const blank = /\s*/y;
const attribute = /\s*([A-Za-z]{1,32})\s*=\s*(?:"([^"]{0,64})"|'([^']{0,64})')/y;

/** A wish for another network configuration, as it was written. */
export interface XmlWish {
  readonly macAddress: string;
  /** The values by their keys. */
  readonly items: ReadonlyMap<string, string>;
}

/**
 * Reads an `IPconfig` of `Item`s with a key and a value. Nothing is expanded: entities, comments, further elements and a
 * key that comes twice make it no wish. Undefined for that.
 */
export function xmlWishIn(body: Uint8Array): XmlWish | undefined {
  if (body.length > longest) return undefined;
  const text = Buffer.from(body).toString('latin1').replaceAll('\0', ' ').trim();
  const [, head, inside] = document.exec(text) ?? [];
  if (head === undefined || inside === undefined) return undefined;
  const macAddress = attributesIn(head)?.get('MACAddr');
  const items = itemsIn(inside);
  return macAddress === undefined || items === undefined ? undefined : { macAddress, items };
}

function itemsIn(text: string): ReadonlyMap<string, string> | undefined {
  const items = new Map<string, string>();
  let at = behind(blank, text, 0) ?? 0;
  while (at < text.length) {
    element.lastIndex = at;
    const [, inside] = element.exec(text) ?? [];
    if (inside === undefined || items.size === mostItems) return undefined;
    const closed = inside.endsWith('/');
    const attributes = attributesIn(closed ? inside.slice(0, -1) : inside);
    const key = attributes?.get('key');
    const value = attributes?.get('value');
    if (key === undefined || value === undefined || items.has(key)) return undefined;
    items.set(key, value);
    const next = closed ? element.lastIndex : behind(end, text, element.lastIndex);
    if (next === undefined) return undefined;
    at = behind(blank, text, next) ?? next;
  }
  return items;
}

/** Where the text goes on behind a pattern; undefined where it does not have it. */
function behind(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function attributesIn(text: string): ReadonlyMap<string, string> | undefined {
  const attributes = new Map<string, string>();
  const written = text.trim();
  let at = 0;
  while (at < written.length) {
    attribute.lastIndex = at;
    const [, name, quoted, single] = attribute.exec(written) ?? [];
    if (name === undefined || attributes.has(name)) return undefined;
    attributes.set(name, quoted ?? single ?? '');
    at = attribute.lastIndex;
  }
  return attributes;
}
