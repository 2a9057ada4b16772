import { millisecondsOf } from './duration.js';
import { objectInFile } from './json-file.js';
import type { ControlOptions } from './options.js';
import { sceneGiven } from './scene.js';
import { eitherOf, numberOf, offerOf, switchOf } from './words.js';

/** A command of the control port, and what it is given. */
export type Order = readonly [command: string, given: object];

/** Options that single commands have. */
export interface OrderOptions extends ControlOptions {
  readonly sector?: string;
}

type Meaning = (words: readonly string[], options: OrderOptions) => Order | Promise<Order>;

/** What the words of each command mean. They throw what is wrong with them. */
export const orders = {
  'power-cycle': () => ['power-cycle', {}],
  advance: ([duration = '']) => ['clock/advance', { ms: millisecondsOf(duration) }],
  temperature: ([celsius = '']) => [
    'temperature',
    { celsius: celsius === 'auto' ? null : numberOf('temperature', celsius) },
  ],
  input: ([port = '', level = '']) => [
    'input',
    { port: numberOf('port', port), high: eitherOf('level', 'high', 'low', level) },
  ],
  contamination: ([level = ''], { sector }) => [
    'contamination',
    {
      level: numberOf('level', level),
      ...(sector === undefined ? {} : { sector: numberOf('--sector', sector) }),
    },
  ],
  encoder: ([speed = '']) => ['encoder', { speed: numberOf('speed', speed) }],
  reference: ([signal = '']) => ['encoder/reference', { signal: numberOf('reference', signal) }],
  dhcp: ([offer = '']) => ['dhcp', offerOf(offer)],
  webserver: ([word = '']) => ['webserver', { enabled: switchOf('webserver', word) }],
  scene: async ([scene = '']) => ['scene', await sceneGiven(scene)],
  'actor add': async ([file = '']) => ['actors/add', await objectInFile(file)],
  'actor move': ([name = '', x = '', y = '', heading]) => [
    'actors/move',
    {
      name,
      x: numberOf('x', x),
      y: numberOf('y', y),
      ...(heading === undefined ? {} : { heading: numberOf('heading', heading) }),
    },
  ],
  'actor remove': ([name = '']) => ['actors/remove', { name }],
} as const satisfies Readonly<Record<string, Meaning>>;

export type OrderName = keyof typeof orders;

/** What the words of a command mean. */
export function orderOf(name: OrderName, words: readonly string[], options: OrderOptions) {
  const meaning: Meaning = orders[name];
  return meaning(words, options);
}
