import type { Dice } from '../../support/dice.js';
import { isObject, parse } from '../../support/json.js';
import { bytesBeside, mutated } from './bytes-at-the-socket.js';
import type { Category } from './category.js';
import { hostileValue, huge, spoiled, strangeNumber, strangerName, strangeString } from './hostile-json.js';
import type { Lane } from './lane.js';
import { get, inChunks, withBody } from './requests.js';
import type { WireReply } from './wire.js';

/** What a body for a command may have as its members. */
const members = [
  ...['ms', 'celsius', 'speed', 'signal', 'level', 'sector', 'port', 'high', 'enabled', 'address', 'mask'],
  ...['gateway', 'name', 'x', 'y', 'heading', 'polygons', 'circles', 'actors', 'boxes', 'fog', 'materials'],
];

/** What commands take; of others, anything. */
const known: Readonly<Record<string, readonly string[]>> = {
  'clock/advance': ['ms'],
  temperature: ['celsius'],
  encoder: ['speed'],
  contamination: ['level', 'sector'],
  input: ['port', 'high'],
  webserver: ['enabled'],
  dhcp: ['address', 'mask', 'gateway'],
  'actors/move': ['name', 'x', 'y', 'heading'],
  'actors/remove': ['name'],
  'encoder/reference': ['signal'],
  scene: ['name'],
};

/**
 * Checks what holds for any reply of the control port: JSON that says `ok`, shows something, or tells an error of the
 * client's; or a bare refusal of what is no HTTP.
 */
export function judgeControl(reply: WireReply): number | undefined {
  const { status, headers, body } = reply;
  if (status !== 200 && !(status >= 400 && status < 500))
    throw new Error(`HTTP ${status}: ${body.slice(0, 300)}`);
  if (body === '' && status >= 400) return status;
  if (headers.get('content-type') !== 'application/json')
    throw new Error(`content of another type: ${body.slice(0, 300)}`);
  const json = parse(body);
  if (!isObject(json)) throw new Error(`no object: ${body.slice(0, 300)}`);
  if (status !== 200 && (typeof json.error !== 'string' || json.error === ''))
    throw new Error(`no error told: ${body}`);
  if (body.length > 200_000 && status !== 200) throw new Error(`an error of ${body.length} characters`);
  return status;
}

function memberValue(dice: Dice): string {
  switch (dice.below(4)) {
    case 0:
      return strangeNumber(dice);
    case 1:
      return strangeString(dice);
    case 2:
      return dice.pick(['true', 'false', 'null', '1', '2', '8', '-1', '0.5', '100', '[127,0,0,1]', '[0,0]']);
    default:
      return hostileValue(dice);
  }
}

/** An object that looks like what a command takes: this one, or any. */
function given(dice: Dice, command: string): string {
  const its = Object.hasOwn(known, command) ? known[command] : undefined;
  if (its !== undefined && dice.percent(60)) {
    return `{${its.map((name) => `${JSON.stringify(name)}:${memberValue(dice)}`).join()}}`;
  }
  const names = Array.from({ length: dice.pick([1, 1, 1, 2, 3, 8]) }, () =>
    dice.percent(90) ? dice.pick(members) : strangerName(dice),
  );
  return `{${names.map((name) => `${JSON.stringify(name)}:${memberValue(dice)}`).join()}}`;
}

function bodyFor(dice: Dice, command: string): Buffer {
  const text = dice.percent(75) ? given(dice, command) : hostileValue(dice);
  return dice.percent(80) ? Buffer.from(text) : spoiled(text, dice);
}

/** Strange headers beside a body; none that changes where it ends. */
const headers = [
  ...[
    'Content-Type: application/json',
    'Content-Type: text/plain',
    'Origin: http://evil.example',
    'Origin: null',
  ],
  ...[
    'Host: evil.example',
    'Expect: 100-continue',
    'X-A: '.padEnd(9000, 'a'),
    'Cookie: a=b',
    'Content-Encoding: gzip',
  ],
];

async function ask(lane: Lane, request: Buffer) {
  return [judgeControl(await lane.ask(request)) ?? 200];
}

/** Ways of besetting the control port. @param scene a scene as it shows it */
export function controlCategories(commands: readonly string[], scene: string): readonly Category[] {
  const honest = [
    get('/'),
    get('/scene'),
    withBody('POST', '/clock/advance', '{"ms":10}'),
    withBody('POST', '/temperature', '{"celsius":20}'),
    withBody('POST', '/scene', scene),
    inChunks('POST', '/input', Buffer.from('{"port":1,"high":true}'), [3, 9]),
  ];
  return [
    ...bytesBeside(honest, judgeControl),
    {
      name: 'commands',
      weight: 120,
      run: (lane, dice) => {
        const more = dice.percent(10) ? [dice.pick(headers)] : [];
        const command = dice.pick(commands);
        return ask(lane, withBody('POST', `/${command}`, bodyFor(dice, command), more));
      },
    },
    {
      name: 'chunked commands',
      weight: 20,
      run: (lane, dice) => {
        const command = dice.pick(commands);
        const body = bodyFor(dice, command);
        const ends = Array.from({ length: dice.below(5) }, () => dice.below(body.length + 1));
        return ask(lane, inChunks('POST', `/${command}`, body, ends, { extension: dice.pick(['', ';a=b']) }));
      },
    },
    {
      name: 'scenes',
      weight: 12,
      run: (lane, dice) => ask(lane, withBody('POST', '/scene', mutated(Buffer.from(scene), dice))),
    },
    {
      name: 'large bodies',
      weight: 1,
      run: (lane, dice) => ask(lane, withBody('POST', `/${dice.pick(['scene', ...commands])}`, huge(dice))),
    },
    {
      name: 'other paths',
      weight: 12,
      run: (lane, dice) => {
        const verb = dice.pick(['GET', 'PUT', 'DELETE', 'OPTIONS', 'POST', 'PATCH']);
        const name = dice.pick([
          '',
          'nothing',
          '__proto__',
          'constructor',
          '..',
          '%00',
          'scene/',
          '//',
          'scene?a=b',
          'clock',
        ]);
        return ask(lane, withBody(verb, `/${name}`, dice.percent(50) ? '' : bodyFor(dice, name)));
      },
    },
  ];
}
