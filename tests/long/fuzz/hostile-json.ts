import type { SeededRandom } from '@azimuth/test-support/seeded-random';

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

/** Looks like a number, but is not a number in JSON. */
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

/** A name that JavaScript objects inherit, or a name that the interface does not have. */
export function unknownName(random: SeededRandom): string {
  return random.pick(names);
}

export function strangeNumber(random: SeededRandom): string {
  return random.percent(5) ? random.pick(noNumbers) : random.pick(numbers);
}

export function strangeString(random: SeededRandom): string {
  return random.pick(strings);
}

const hostileNames = [
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"prototype"',
  '"a"',
  '"\\u005f_proto__"',
];

/** Any JSON value, and sometimes text that is not JSON. */
export function hostileValue(random: SeededRandom): string {
  switch (random.below(8)) {
    case 0:
      return strangeNumber(random);
    case 1:
      return strangeString(random);
    case 2:
      return random.pick(['null', 'true', 'false', '[]', '{}', '[[]]', '[null]', '""', '', '}', ']', ',']);
    case 3:
      return nested(random.pick([2, 10, 100, 1000]), random);
    case 4:
      return `{${random.pick(hostileNames)}:${random.pick(['{"level":4}', 'null', '1', '{"__proto__":{"user":1}}'])}}`;
    case 5:
      return `[${Array.from({ length: random.pick([1, 5, 97, 300]) }, () => random.pick(numbers)).join()}]`;
    case 6:
      return `{"a":1,"a":2,${random.pick(hostileNames)}:3,${random.pick(hostileNames)}:4}`;
    default:
      return JSON.stringify('x'.repeat(random.pick([1, 32, 33, 64, 257, 5000])));
  }
}

/** Nested brackets, closed or not. */
export function nested(depth: number, random: SeededRandom): string {
  const [open, close] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
    ['[{"data":', '}]'],
  ]);
  const core = random.pick(['1', '"a"', 'null']);
  return random.percent(70) ? open.repeat(depth) + core + close.repeat(depth) : open.repeat(depth);
}

/** A JSON document that is very large or very deep. */
export function huge(random: SeededRandom): string {
  const million = 1024 * 1024;
  switch (random.below(6)) {
    case 0:
      return `{"data":${nested(100_000, random)}}`;
    case 1:
      return `{"data":"${'a'.repeat(million - 11 + random.between(-1, 1))}"}`;
    case 2:
      return `{"data":[${'1,'.repeat(400_000)}1]}`;
    case 3:
      return `{"data":${'9'.repeat(random.pick([400, 100_000]))}}`;
    case 4:
      return `{${Array.from({ length: 50_000 }, (_, index) => `"k${index}":1`).join()}}`;
    default:
      return ' '.repeat(random.pick([million, million + 1, 3 * million]));
  }
}

/** The bytes of a text with a byte order mark, another encoding, wrong bytes or a wrong end. */
export function spoiled(text: string, random: SeededRandom): Buffer {
  const bytes = Buffer.from(text);
  switch (random.below(6)) {
    case 0:
      return Buffer.concat([Buffer.from('\ufeff'), bytes]);
    case 1:
      return Buffer.from(`\ufeff${text}`, 'utf16le');
    case 2: {
      const at = random.below(bytes.length + 1);
      const wrong = random.pick([
        Buffer.from([0xff]),
        Buffer.from([0xed, 0xa0, 0x80]),
        Buffer.from([0xc0, 0x80]),
      ]);
      return Buffer.concat([bytes.subarray(0, at), wrong, bytes.subarray(at)]);
    }
    case 3:
      return bytes.subarray(0, random.below(bytes.length + 1));
    case 4:
      return Buffer.concat([bytes, Buffer.from(random.pick(['}', 'x', '\u0000', ' ', '\n\n', '{}']))]);
    default: {
      const flipped = Buffer.from(bytes);
      for (let time = 0; time < 3 && flipped.length > 0; time++) {
        flipped[random.below(flipped.length)] = random.below(256);
      }
      return flipped;
    }
  }
}
