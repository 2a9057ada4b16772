import { portCount } from '@azimuth/model';
import type { Commands } from './command.js';
import { booleanIn, wholeNumberIn } from './given.js';

/** Ports that can be driven from outside. */
interface Driven {
  setLevel(port: number, high: boolean): void;
}

/** What is wired to the eight ports. */
export function portCommands(ports: Driven): Commands {
  return {
    input: {
      takes: ['port', 'high'],
      act: (given) => ports.setLevel(wholeNumberIn(given, 'port', 1, portCount), booleanIn(given, 'high')),
    },
  };
}
