import { nearestName } from '@azimuth/model';
import { Command } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { withExamples } from '../options.js';
import { controlOptions, withControlOptions } from '../sim/options.js';
import type { OrderName, OrderOptions } from '../sim/orders.js';

/** `azimuth sim`: the world of a virtual scanner. docs/simulation.md tells how to test with it. */
export function simCommand(): Command {
  const command = new Command('sim')
    .summary('move the world of a virtual scanner')
    .description(
      'Move the world of a virtual scanner that was started with --control-port: power, time, what it senses and what it sees. By itself, tell how everything is.',
    )
    // What stands in the place of a command is one that was mistyped, with what it takes.
    .arguments('[command] [first] [second]')
    .usage('[options] [command]')
    .action(async (stranger?: string) => {
      if (stranger !== undefined) throw unknownCommand(command, stranger);
      await status(command);
    });
  for (const part of [statusCommand(), ...orderCommands(), sceneCommand(), actorCommand()]) {
    command.addCommand(part);
  }
  return withExamples(
    withControlOptions(command),
    'azimuth serve --control-port 9000       (in another terminal)',
    'azimuth sim',
    'azimuth sim advance 30s',
    'azimuth sim temperature 60',
    'azimuth sim input 1 high',
    'azimuth sim contamination 0.4 --sector 3',
    'azimuth sim dhcp 10.0.0.42/24',
    'azimuth sim scene gate',
    'azimuth sim actor move "person 1" 2.5 -0.4',
    'azimuth sim power-cycle',
  );
}

function statusCommand(): Command {
  const command = new Command('status')
    .description('tell how the scanner and its world are')
    .action(() => status(command));
  return withControlOptions(command);
}

async function status(command: Command): Promise<void> {
  const { showStatus } = await import('../actions/sim.js');
  await showStatus(controlOptions(command));
}

function orderCommands(): readonly Command[] {
  return [
    orderCommand('power-cycle', 'power off and on: what was not stored is lost'),
    orderCommand('advance', "move the scanner's clock on; nothing is measured on the way", {
      '<duration>': 'such as 250ms, 30s, 1.5min, 2h or 7d',
    }),
    orderCommand('temperature', 'what the scanner measures inside', {
      '<celsius>': 'a number of °C, or auto: it goes its own way again',
    }),
    orderCommand('input', 'drive a port', { '<port>': '1 to 8', '<level>': 'high or low' }),
    orderCommand('contamination', 'dirt on the front screen', {
      '<level>': 'share of the light that it takes away, 0 to 1',
    }).option('--sector <number>', 'in one of the sectors 1 to 12 only'),
    orderCommand('encoder', 'move what drives the encoder', {
      '<speed>': 'mm/s; its sign is the direction',
    }),
    orderCommand('reference', 'give the encoder a reference signal', { '<signal>': '1 or 2' }),
    orderCommand('dhcp', 'what a DHCP server offers', {
      '<offer>': '10.0.0.42/24, or 10.0.0.42/24,10.0.0.1 with a gateway, or none',
    }),
    orderCommand('webserver', 'switch the web server, from the next boot on', { '<state>': 'on or off' }),
  ];
}

function sceneCommand(): Command {
  const command = new Command('scene')
    .description('give the scanner another scene to see; without one, print the scene that it sees')
    .argument('[scene]', 'a ready scene by its name, or a scene file (- for stdin)')
    .action(async (scene: string | undefined) => {
      const { give, showScene } = await import('../actions/sim.js');
      const options = controlOptions(command);
      await (scene === undefined ? showScene(options) : give('scene', [scene], options));
    });
  return withExamples(
    withControlOptions(command),
    'azimuth sim scene gate',
    'azimuth sim scene hall.json',
    'azimuth sim scene > hall.json',
  );
}

function actorCommand(): Command {
  const command = new Command('actor').description('add, move and remove what moves in the scene');
  const list = new Command('list')
    .description('list the actors, and where each of them is or goes')
    .action(async () => {
      const { listActors } = await import('../actions/sim.js');
      await listActors(controlOptions(list));
    });
  command
    .addCommand(withControlOptions(list))
    .addCommand(orderCommand('actor add', 'add an actor', { '<file>': 'as in a scene file (- for stdin)' }))
    .addCommand(
      orderCommand('actor move', 'let an actor stand somewhere, from the next turn on', {
        '<name>': 'which one',
        '<x>': 'm ahead',
        '<y>': 'm to the left',
        '[heading]': 'degrees counter-clockwise; 0 unless stated',
      }),
    )
    .addCommand(orderCommand('actor remove', 'take an actor away', { '<name>': 'which one' }));
  return withExamples(
    command,
    'azimuth sim actor list',
    'azimuth sim actor add person.json',
    'azimuth sim actor move "person 1" 2.5 -0.4 90',
    'azimuth sim actor remove "person 1"',
  );
}

/** A command that has one thing done: its arguments are what the order of its name takes. */
function orderCommand(
  order: OrderName,
  description: string,
  takes: Readonly<Record<string, string>> = {},
): Command {
  const command = new Command(order.split(' ').at(-1)).description(description);
  for (const [argument, text] of Object.entries(takes)) command.argument(argument, text);
  command.action(async () => {
    const { give } = await import('../actions/sim.js');
    await give(order, command.args, controlOptions<OrderOptions>(command));
  });
  return withControlOptions(command);
}

function unknownCommand(command: Command, typed: string): CommandFailure {
  const meant = nearestName(
    typed,
    command.commands.map((each) => each.name()),
  );
  const question = meant === undefined ? '' : `; did you mean ${meant}?`;
  return new CommandFailure(`unknown command 'sim ${typed}'${question}`);
}
