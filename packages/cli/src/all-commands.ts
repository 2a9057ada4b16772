import { madeTable } from './completion/completion-table.js';
import { Command } from './options/command.js';
import { asksForJson } from './output/output.js';
import { type CommandEntry, createProgram } from './program.js';

/** All commands, in the order of the list. */
export const commandTable: readonly CommandEntry[] = [
  entry('serve', 'run a scanner', () => import('./commands/serve.js')),
  entry('fleet', 'run many scanners on one machine, behind one port', () => import('./commands/fleet.js')),
  entry('worker', 'run scanners of a fleet in a database', () => import('./commands/worker.js')),
  entry(
    'gateway',
    'run a port for the scanners of a fleet in a database',
    () => import('./commands/gateway.js'),
  ),
  entry('gui', 'show scanners in the browser', () => import('./commands/gui.js')),
  entry(
    'discover',
    'search for scanners, and set the address of one',
    () => import('./commands/discover.js'),
  ),
  entry('devices', 'give scanners names, and put them into groups', () => import('./commands/devices.js')),
  entry('get', 'read variables', () => import('./commands/get.js')),
  entry('status', 'show identity, state, streams and what is unsaved', () => import('./commands/status.js')),
  entry('set', 'write a variable', () => import('./commands/set.js')),
  entry(
    'save',
    'save what was set, so that a power cut does not lose it',
    () => import('./commands/save.js'),
  ),
  entry('unsaved', 'list the parameters that are not saved', () => import('./commands/unsaved.js')),
  entry(
    'diff',
    'compare the parameters of scanners, backup files and the factory',
    () => import('./commands/diff.js'),
  ),
  entry('reboot', 'reboot scanners', () => import('./commands/reboot.js')),
  entry('call', 'call a method and print its response', () => import('./commands/call.js')),
  entry(
    'legacy-hash',
    'print the number that drivers want for a password; needs no scanner',
    () => import('./commands/legacy-hash.js'),
  ),
  entry(
    'describe',
    'describe a variable, a method or a file; needs no scanner',
    () => import('./commands/describe.js'),
  ),
  entry(
    'reference',
    'write the reference of a product of your own; needs no scanner',
    () => import('./commands/reference.js'),
  ),
  entry(
    'search',
    'search the names and descriptions; needs no scanner',
    () => import('./commands/search.js'),
  ),
  entry(
    'doctor',
    'find out why no data arrives, and what else is wrong',
    () => import('./commands/doctor.js'),
  ),
  entry('check', 'check how far a scanner keeps the interface', () => import('./commands/check.js')),
  entry(
    'monitor',
    'watch scanners for years: alarms, a lasting log, metrics',
    () => import('./commands/monitor.js'),
  ),
  entry('log', 'print what the monitor has logged', () => import('./commands/log.js')),
  entry('watch', 'print values as they change', () => import('./commands/watch.js')),
  entry('scan', 'show what a scanner sees', () => import('./commands/scan.js')),
  entry(
    'truth',
    'judge a driver by what the beams of a virtual scanner met',
    () => import('./commands/truth.js'),
  ),
  entry('record', 'record the data streams of a scanner', () => import('./commands/record.js')),
  entry(
    'relay',
    'pass the data of a scanner on to any number of programs',
    () => import('./commands/relay.js'),
  ),
  entry('convert', 'convert a recording to another format', () => import('./commands/convert.js')),
  entry('bridge', 'show scanners in Foxglove, publish them in ROS', () => import('./commands/bridge.js')),
  entry(
    'wireshark',
    'write a dissector that shows telegrams in Wireshark; needs no scanner',
    () => import('./commands/wireshark.js'),
  ),
  entry('timing', 'judge the times of scan data', () => import('./commands/timing.js')),
  entry('backup', 'save the parameters to a file', () => import('./commands/backup.js')),
  entry('restore', 'restore the parameters from a backup file', () => import('./commands/restore.js')),
  entry(
    'export',
    'write the parameters of scanners to a site file (YAML)',
    () => import('./commands/export.js'),
  ),
  entry(
    'apply',
    'give scanners the parameters of a site file, and save them',
    () => import('./commands/apply.js'),
  ),
  entry(
    'clone',
    'make a virtual scanner with the parameters of a scanner',
    () => import('./commands/clone.js'),
  ),
  entry('update', 'install firmware', () => import('./commands/update.js')),
  entry('diagnose', 'fetch a diagnostic archive', () => import('./commands/diagnose.js')),
  entry(
    'certificate',
    'show, set and remove the certificates of HTTPS',
    () => import('./commands/certificate.js'),
  ),
  entry('password', 'change the REST password of a user level', () => import('./commands/password.js')),
  entry('users', 'list, enable and disable user levels', () => import('./commands/users.js')),
  entry(
    'firmware',
    'make, sign and inspect firmware files for virtual scanners',
    () => import('./commands/firmware.js'),
  ),
  entry('sim', 'control the simulation of a virtual scanner', () => import('./commands/sim.js')),
  entry('mcp', 'give an assistant tools to find faults', () => import('./commands/mcp.js')),
  entry(
    'completion',
    'complete command lines in bash, zsh or fish',
    () => import('./commands/completion.js'),
  ),
  entry('help', 'explain a command, or a topic such as passwords', () => import('./commands/help.js')),
];

/**
 * The exports of a file of the folder `commands`: functions that give a command its arguments, its options, its help
 * and its action.
 */
interface CommandModule {
  defineCommand(command: Command, commands: readonly CommandEntry[]): Command;
}

function entry(name: string, summary: string, load: () => Promise<CommandModule>): CommandEntry {
  return {
    name,
    summary,
    load: async () => (await load()).defineCommand(new Command(name), commandTable),
  };
}

/** Makes the command line for these arguments. Only the named command is loaded; the others are only listed. */
export async function azimuthProgram(argv: readonly string[]): Promise<Command> {
  const called = calledCommand(argv);
  const isListed =
    called === undefined || called === 'help' || argv.includes('--help') || argv.includes('-h');
  const usages = isListed ? (madeTable()?.usages ?? (await usagesOfAll())) : {};
  return createProgram(
    await Promise.all(
      commandTable.map(async ({ name, summary, load }) =>
        name === called ? await load() : new Command(name).usage(usages[name] ?? '').summary(summary),
      ),
    ),
    asksForJson(argv),
  );
}

/** The usage after the name of a command in the list, for programs without a bundle. */
async function usagesOfAll(): Promise<Readonly<Record<string, string>>> {
  const all = commandTable.map(async ({ name, load }) => [name, (await load()).usage()] as const);
  return Object.fromEntries(await Promise.all(all));
}

/** Returns the first argument that is the name of a command. Values of options of the program do not count. */
function calledCommand(argv: readonly string[]): string | undefined {
  const takeValue = createProgram([]).options.filter(({ required }) => required);
  return argv.find(
    (word, index) =>
      commandTable.some(({ name }) => name === word) &&
      !takeValue.some(({ long }) => long !== undefined && long === argv[index - 1]),
  );
}
