import { Command } from 'commander';
import { madeTable } from './completion/completion-table.js';
import { asksForJson } from './output/output.js';
import { type CommandEntry, programOf } from './program.js';

/** All commands, in the order of the list. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'serve',
    summary: 'run a scanner',
    load: async () => (await import('./commands/serve.js')).serveCommand(),
  },
  {
    name: 'fleet',
    summary: 'run many scanners on one machine, behind one port',
    load: async () => (await import('./commands/fleet.js')).fleetCommand(),
  },
  {
    name: 'worker',
    summary: 'run scanners of a fleet in a database',
    load: async () => (await import('./commands/worker.js')).workerCommand(),
  },
  {
    name: 'gateway',
    summary: 'run a port for the scanners of a fleet in a database',
    load: async () => (await import('./commands/gateway.js')).gatewayCommand(),
  },
  {
    name: 'gui',
    summary: 'show scanners in the browser',
    load: async () => (await import('./commands/gui.js')).guiCommand(),
  },
  {
    name: 'discover',
    summary: 'search for scanners, and set the address of one',
    load: async () => (await import('./commands/discover.js')).discoverCommand(),
  },
  {
    name: 'devices',
    summary: 'give scanners names, and put them into groups',
    load: async () => (await import('./commands/devices.js')).devicesCommand(),
  },
  {
    name: 'get',
    summary: 'read variables',
    load: async () => (await import('./commands/get.js')).getCommand(),
  },
  {
    name: 'status',
    summary: 'show identity, state, streams and what is unsaved',
    load: async () => (await import('./commands/status.js')).statusCommand(),
  },
  {
    name: 'set',
    summary: 'write a variable',
    load: async () => (await import('./commands/set.js')).setCommand(),
  },
  {
    name: 'save',
    summary: 'save what was set, so that a power cut does not lose it',
    load: async () => (await import('./commands/save.js')).saveCommand(),
  },
  {
    name: 'unsaved',
    summary: 'list the parameters that are not saved',
    load: async () => (await import('./commands/unsaved.js')).unsavedCommand(),
  },
  {
    name: 'diff',
    summary: 'compare the parameters of scanners, backup files and the factory',
    load: async () => (await import('./commands/diff.js')).diffCommand(),
  },
  {
    name: 'reboot',
    summary: 'reboot scanners',
    load: async () => (await import('./commands/reboot.js')).rebootCommand(),
  },
  {
    name: 'call',
    summary: 'call a method and print its response',
    load: async () => (await import('./commands/call.js')).callCommand(),
  },
  {
    name: 'legacy-hash',
    summary: 'print the number that drivers want for a password; needs no scanner',
    load: async () => (await import('./commands/legacy-hash.js')).legacyHashCommand(),
  },
  {
    name: 'describe',
    summary: 'describe a variable, a method or a file; needs no scanner',
    load: async () => (await import('./commands/describe.js')).describeCommand(),
  },
  {
    name: 'search',
    summary: 'search the names and descriptions; needs no scanner',
    load: async () => (await import('./commands/search.js')).searchCommand(),
  },
  {
    name: 'doctor',
    summary: 'find out why no data arrives, and what else is wrong',
    load: async () => (await import('./commands/doctor.js')).doctorCommand(),
  },
  {
    name: 'watch',
    summary: 'print values as they change',
    load: async () => (await import('./commands/watch.js')).watchCommand(),
  },
  {
    name: 'scan',
    summary: 'show what a scanner sees',
    load: async () => (await import('./commands/scan.js')).scanCommand(),
  },
  {
    name: 'record',
    summary: 'record the data streams of a scanner',
    load: async () => (await import('./commands/record.js')).recordCommand(),
  },
  {
    name: 'backup',
    summary: 'save the parameters to a file',
    load: async () => (await import('./commands/backup.js')).backupCommand(),
  },
  {
    name: 'restore',
    summary: 'restore the parameters from a backup file',
    load: async () => (await import('./commands/restore.js')).restoreCommand(),
  },
  {
    name: 'export',
    summary: 'write the parameters of scanners to a site file (YAML)',
    load: async () => (await import('./commands/export.js')).exportCommand(),
  },
  {
    name: 'apply',
    summary: 'give scanners the parameters of a site file, and save them',
    load: async () => (await import('./commands/apply.js')).applyCommand(),
  },
  {
    name: 'clone',
    summary: 'make a virtual scanner with the parameters of a scanner',
    load: async () => (await import('./commands/clone.js')).cloneCommand(),
  },
  {
    name: 'update',
    summary: 'install firmware',
    load: async () => (await import('./commands/update.js')).updateCommand(),
  },
  {
    name: 'diagnose',
    summary: 'fetch a diagnostic archive',
    load: async () => (await import('./commands/diagnose.js')).diagnoseCommand(),
  },
  {
    name: 'certificate',
    summary: 'show, set and remove the certificates of HTTPS',
    load: async () => (await import('./commands/certificate.js')).certificateCommand(),
  },
  {
    name: 'password',
    summary: 'change the REST password of a user level',
    load: async () => (await import('./commands/password.js')).passwordCommand(),
  },
  {
    name: 'users',
    summary: 'list, enable and disable user levels',
    load: async () => (await import('./commands/users.js')).usersCommand(),
  },
  {
    name: 'firmware',
    summary: 'make, sign and inspect firmware files for virtual scanners',
    load: async () => (await import('./commands/firmware.js')).firmwareCommand(),
  },
  {
    name: 'sim',
    summary: 'control the surroundings of a virtual scanner',
    load: async () => (await import('./commands/sim.js')).simCommand(),
  },
  {
    name: 'completion',
    summary: 'complete command lines in bash, zsh or fish',
    load: async () => (await import('./commands/completion.js')).completionCommand(commandTable),
  },
  {
    name: 'help',
    summary: 'explain a command, or a topic such as passwords',
    load: async () => (await import('./commands/help.js')).helpCommand(commandTable),
  },
];

/** The command line for these arguments. Only the command that they name is loaded; the others are only listed. */
export async function azimuthProgram(argv: readonly string[]): Promise<Command> {
  const called = calledCommand(argv);
  const isListed =
    called === undefined || called === 'help' || argv.includes('--help') || argv.includes('-h');
  const usages = isListed ? (madeTable()?.usages ?? (await usagesOfAll())) : {};
  return programOf(
    await Promise.all(
      commandTable.map(async ({ name, summary, load }) =>
        name === called ? await load() : new Command(name).usage(usages[name] ?? '').summary(summary),
      ),
    ),
    asksForJson(argv),
  );
}

/** What stands behind the commands in the list, where no bundle has it. */
async function usagesOfAll(): Promise<Readonly<Record<string, string>>> {
  const all = commandTable.map(async ({ name, load }) => [name, (await load()).usage()] as const);
  return Object.fromEntries(await Promise.all(all));
}

/** The first argument that is the name of a command. Values of options of the program do not count. */
function calledCommand(argv: readonly string[]): string | undefined {
  const takeValue = programOf([]).options.filter(({ required }) => required);
  return argv.find(
    (word, index) =>
      commandTable.some(({ name }) => name === word) &&
      !takeValue.some(({ long }) => long !== undefined && long === argv[index - 1]),
  );
}
