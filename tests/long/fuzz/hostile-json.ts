import type { Dice } from '../../support/dice.js';

const numbers = [
  ...[
    '0',
    '-0',
    '-0.0',
    '1',
    '-1',
    '1.0',
    '1e0',
    '1E+2',
    '0.1',
    '0.5',
    '1e400',
    '-1e400',
    '1e-400',
    '5e-324',
  ],
  ...['127', '128', '255', '256', '-128', '-129', '32767', '32768', '65535', '65536', '-32768', '-32769'],
  ...['2147483647', '2147483648', '-2147483648', '-2147483649', '4294967295', '4294967296'],
  ...['9007199254740991', '9007199254740992', '9007199254740993', '-9007199254740993'],
  ...['9223372036854775807', '9223372036854775808', '-9223372036854775809'],
  ...['18446744073709551615', '18446744073709551616', '3.4028234663852886e38', '3.4028235677973366e38'],
  ...['1.7976931348623157e308', '1e-46', '1.401298464324817e-45'],
];

/** What looks like a number and is none in JSON. */
const noNumbers = [
  'NaN',
  'Infinity',
  '-Infinity',
  '+1',
  '.5',
  '1.',
  '01',
  '0x10',
  '1_000',
  '1n',
  '--1',
  '1e',
];

const strings = [
  ...[
    '""',
    '" "',
    '"\\ud800"',
    '"\\udc00x"',
    '"\\ud83d\\ude00"',
    '"\\u0000"',
    '"\\u001f"',
    '"\\u007f"',
    '"\\u0085"',
  ],
  ...[
    '"\\ufeff"',
    '"\\ufffe"',
    '"\\u202e"',
    '"\\r\\nSet-Cookie: a=b"',
    '"%00"',
    '"%s%n"',
    '"e\\u0301"',
    '"😀"',
  ],
  ...[
    '"__proto__"',
    '"constructor"',
    '"toString"',
    '"../../etc/passwd"',
    '"$(id)"',
    '"\u0007"',
    '"\n"',
    '"\\x41"',
  ],
];

const names = [
  '__proto__',
  'constructor',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'then',
  'length',
  '',
  'a\u0000b',
];

/** A name that JavaScript's objects know, or nobody. */
export function strangerName(dice: Dice): string {
  return dice.pick(names);
}

export function strangeNumber(dice: Dice): string {
  return dice.percent(5) ? dice.pick(noNumbers) : dice.pick(numbers);
}

export function strangeString(dice: Dice): string {
  return dice.pick(strings);
}

const hostileNames = [
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"prototype"',
  '"a"',
  '"\\u005f_proto__"',
];

/** Any JSON value at all, and now and then what is none. */
export function hostileValue(dice: Dice): string {
  switch (dice.below(8)) {
    case 0:
      return strangeNumber(dice);
    case 1:
      return strangeString(dice);
    case 2:
      return dice.pick(['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '""', '', '}', ']', ',']);
    case 3:
      return nested(dice.pick([2, 10, 100, 1000]), dice);
    case 4:
      return `{${dice.pick(hostileNames)}:${dice.pick(['{"level":4}', 'null', '1', '{"__proto__":{"user":1}}'])}}`;
    case 5:
      return `[${Array.from({ length: dice.pick([1, 5, 97, 300]) }, () => dice.pick(numbers)).join()}]`;
    case 6:
      return `{"a":1,"a":2,${dice.pick(hostileNames)}:3,${dice.pick(hostileNames)}:4}`;
    default:
      return JSON.stringify('x'.repeat(dice.pick([1, 32, 33, 64, 257, 5000])));
  }
}

/** Brackets in brackets, closed or not. */
export function nested(depth: number, dice: Dice): string {
  const [open, close] = dice.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"data":', '}]'],
  ]);
  const core = dice.pick(['1', '"a"', 'null']);
  return dice.percent(70) ? open.repeat(depth) + core + close.repeat(depth) : open.repeat(depth);
}

/** A JSON document of a size that hurts. */
export function huge(dice: Dice): string {
  const million = 1024 * 1024;
  switch (dice.below(6)) {
    case 0:
      return `{"data":${nested(100_000, dice)}}`;
    case 1:
      return `{"data":"${'a'.repeat(million - 11 + dice.between(-1, 1))}"}`;
    case 2:
      return `{"data":[${'1,'.repeat(400_000)}1]}`;
    case 3:
      return `{"data":${'9'.repeat(dice.pick([400, 100_000]))}}`;
    case 4:
      return `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join()}}`;
    default:
      return ' '.repeat(dice.pick([million, million + 1, 3 * million]));
  }
}

/** The bytes of a text as careless, or worse, programs send it. */
export function spoiled(text: string, dice: Dice): Buffer {
  const bytes = Buffer.from(text);
  switch (dice.below(6)) {
    case 0:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 1:
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 2: {
      const at = dice.below(bytes.length + 1);
      const wrong = dice.pick([
        Buffer.from([0xff]),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from([0xc0, 0x80]),
      ]);
      return Buffer.concat([bytes.subarray(0, at), wrong, bytes.subarray(at)]);
    }
    case 3:
      return bytes.subarray(0, dice.below(bytes.length + 1));
    case 4:
      return Buffer.concat([bytes, Buffer.from(dice.pick(['}', 'x', '\u0000', ' ', '\n\n', '{}']))]);
    default: {
      const flipped = Buffer.from(bytes);
      for (let time = 0; time < 3 && flipped.length > 0; time++) {
        flipped[dice.below(flipped.length)] = dice.below(256);
      }
      return flipped;
    }
  }
}
