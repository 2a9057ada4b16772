/** Where a text stops being JSON. */
export interface JsonFault {
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
  /** What stands there; undefined at the end of the text. */
  readonly found: string | undefined;
}

/** A sign, a string or another value, with the blanks before it. */
const token =
  /[ \t\n\r]*(?:([{}[\],:])|("[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})[ !#-[\]-\uffff]*)*")|(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.]))/y;

/**
 * Finds the first place where a text is no JSON, or undefined where it is. The parser of the language tells it
 * only in some versions, and only for some faults.
 */
export function jsonFault(text: string): JsonFault | undefined {
  const open: ('{' | '[')[] = [];
  let expected: 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'more' = 'value';
  let at = 0;
  for (;;) {
    const rest = /[^ \t\n\r]/g;
    rest.lastIndex = at;
    const place = rest.exec(text)?.index ?? text.length;
    const done = open.length === 0 && expected === 'more';
    if (place === text.length) return done ? undefined : faultAt(text, place);
    token.lastIndex = at;
    const match = token.exec(text);
    if (match === null || done) return faultAt(text, place);
    at = token.lastIndex;
    const [, sign, string] = match;
    const inside = open.at(-1);
    if (expected === 'colon') {
      if (sign !== ':') return faultAt(text, place);
      expected = 'value';
    } else if (expected === 'more') {
      if (sign === ',') expected = inside === '{' ? 'name' : 'value';
      else if (sign === (inside === '{' ? '}' : ']')) open.pop();
      else return faultAt(text, place);
    } else if (expected === 'name' || expected === 'first name') {
      if (string !== undefined) expected = 'colon';
      else if (sign === '}' && expected === 'first name') {
        open.pop();
        expected = 'more';
      } else return faultAt(text, place);
    } else if (sign === '{' || sign === '[') {
      open.push(sign);
      expected = sign === '{' ? 'first name' : 'first value';
    } else if (sign === ']' && expected === 'first value') {
      open.pop();
      expected = 'more';
    } else if (sign === undefined) expected = 'more';
    else return faultAt(text, place);
  }
}

function faultAt(text: string, place: number): JsonFault {
  const before = text.slice(0, place).split('\n');
  const found = /^(?:[\w.+-]+|.)/su.exec(text.slice(place, place + 20))?.[0];
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, found };
}
