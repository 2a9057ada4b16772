import type { HttpAnswer } from './http-exchange.js';

/** Most brackets inside of each other: values of the interface have fewer than ten. What compares them calls itself. */
const deepest = 100;

/** Returns the JSON of an answer; undefined if it is none, or nested too deeply to be compared. */
export function jsonIn({ body }: Pick<HttpAnswer, 'body'>): unknown {
  return jsonOf(body);
}

/** Returns the JSON of bytes from a scanner, likewise. */
export function jsonOf(bytes: Buffer): unknown {
  if (isTooDeep(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

const mark = { quote: 0x22, backslash: 0x5c, open: [0x5b, 0x7b], close: [0x5d, 0x7d] } as const;

/** True if too many brackets are open at once. Those in texts do not count. */
function isTooDeep(json: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === mark.quote) isText = !isText;
    else if (isText) at += byte === mark.backslash ? 1 : 0;
    else if (byte === mark.open[0] || byte === mark.open[1]) depth += 1;
    else if (byte === mark.close[0] || byte === mark.close[1]) depth -= 1;
    if (depth > deepest) return true;
  }
  return false;
}
