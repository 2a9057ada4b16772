import { Command } from 'commander';
import { asksForJson } from './output/output.js';
import { type CommandEntry, programOf } from './program.js';

/** All commands, in the order of the list. */
export const commandTable: readonly CommandEntry[] = [
  {
    name: 'serve',
    usage: '[options]',
    summary: 'run a scanner',
    load: async () => (await import('./commands/serve.js')).serveCommand(),
  },
  {
    name: 'fleet',
    usage: '[options] [command]',
    summary: 'run many scanners on one machine, behind one port',
    load: async () => (await import('./commands/fleet.js')).fleetCommand(),
  },
  {
    name: 'worker',
    usage: '[options]',
    summary: 'run scanners of a fleet in a database',
    load: async () => (await import('./commands/worker.js')).workerCommand(),
  },
  {
    name: 'gateway',
    usage: '[options]',
    summary: 'run a port for the scanners of a fleet in a database',
    load: async () => (await import('./commands/gateway.js')).gatewayCommand(),
  },
  {
    name: 'gui',
    usage: '[options] [url...]',
    summary: 'show scanners in the browser',
    load: async () => (await import('./commands/gui.js')).guiCommand(),
  },
  {
    name: 'discover',
    usage: '[options]',
    summary: 'search for scanners, and set the address of one',
    load: async () => (await import('./commands/discover.js')).discoverCommand(),
  },
  {
    name: 'devices',
    usage: '[options] [command]',
    summary: 'give scanners names, and put them into groups',
    load: async () => (await import('./commands/devices.js')).devicesCommand(),
  },
  {
    name: 'get',
    usage: '[options] [name...]',
    summary: 'read variables',
    load: async () => (await import('./commands/get.js')).getCommand(),
  },
  {
    name: 'status',
    usage: '[options]',
    summary: 'show identity, state, streams and what is unsaved',
    load: async () => (await import('./commands/status.js')).statusCommand(),
  },
  {
    name: 'set',
    usage: '[options] <name> <value...>',
    summary: 'write a variable',
    load: async () => (await import('./commands/set.js')).setCommand(),
  },
  {
    name: 'save',
    usage: '[options]',
    summary: 'save what was set, so that a power cut does not lose it',
    load: async () => (await import('./commands/save.js')).saveCommand(),
  },
  {
    name: 'unsaved',
    usage: '[options]',
    summary: 'list the parameters that are not saved',
    load: async () => (await import('./commands/unsaved.js')).unsavedCommand(),
  },
  {
    name: 'diff',
    usage: '[options] [side...]',
    summary: 'compare the parameters of scanners, backup files and the factory',
    load: async () => (await import('./commands/diff.js')).diffCommand(),
  },
  {
    name: 'reboot',
    usage: '[options]',
    summary: 'reboot scanners',
    load: async () => (await import('./commands/reboot.js')).rebootCommand(),
  },
  {
    name: 'call',
    usage: '[options] <method> [request...]',
    summary: 'call a method and print its response',
    load: async () => (await import('./commands/call.js')).callCommand(),
  },
  {
    name: 'legacy-hash',
    usage: '[options] <level>',
    summary: 'print the number that drivers want for a password; needs no scanner',
    load: async () => (await import('./commands/legacy-hash.js')).legacyHashCommand(),
  },
  {
    name: 'describe',
    usage: '[options] <name>',
    summary: 'describe a variable, a method or a file; needs no scanner',
    load: async () => (await import('./commands/describe.js')).describeCommand(),
  },
  {
    name: 'search',
    usage: '[options] <word...>',
    summary: 'search the names and descriptions; needs no scanner',
    load: async () => (await import('./commands/search.js')).searchCommand(),
  },
  {
    name: 'doctor',
    usage: '[options]',
    summary: 'find out why no data arrives, and what else is wrong',
    load: async () => (await import('./commands/doctor.js')).doctorCommand(),
  },
  {
    name: 'watch',
    usage: '[options] [event...]',
    summary: 'print values as they change',
    load: async () => (await import('./commands/watch.js')).watchCommand(),
  },
  {
    name: 'scan',
    usage: '[options]',
    summary: 'show what a scanner sees',
    load: async () => (await import('./commands/scan.js')).scanCommand(),
  },
  {
    name: 'record',
    usage: '[options] <file>',
    summary: 'record the data streams of a scanner',
    load: async () => (await import('./commands/record.js')).recordCommand(),
  },
  {
    name: 'backup',
    usage: '[options] <file>',
    summary: 'save the parameters to a file',
    load: async () => (await import('./commands/backup.js')).backupCommand(),
  },
  {
    name: 'restore',
    usage: '[options] <file>',
    summary: 'restore the parameters from a backup file',
    load: async () => (await import('./commands/restore.js')).restoreCommand(),
  },
  {
    name: 'export',
    usage: '[options] <file>',
    summary: 'write the parameters of scanners to a site file (YAML)',
    load: async () => (await import('./commands/export.js')).exportCommand(),
  },
  {
    name: 'apply',
    usage: '[options] <file>',
    summary: 'give scanners the parameters of a site file, and save them',
    load: async () => (await import('./commands/apply.js')).applyCommand(),
  },
  {
    name: 'clone',
    usage: '[options] [url] <folder>',
    summary: 'make a virtual scanner with the parameters of a scanner',
    load: async () => (await import('./commands/clone.js')).cloneCommand(),
  },
  {
    name: 'update',
    usage: '[options] <file>',
    summary: 'install firmware',
    load: async () => (await import('./commands/update.js')).updateCommand(),
  },
  {
    name: 'diagnose',
    usage: '[options] <file>',
    summary: 'fetch a diagnostic archive',
    load: async () => (await import('./commands/diagnose.js')).diagnoseCommand(),
  },
  {
    name: 'certificate',
    usage: '[options] [command]',
    summary: 'show, set and remove the certificates of HTTPS',
    load: async () => (await import('./commands/certificate.js')).certificateCommand(),
  },
  {
    name: 'password',
    usage: '[options] <level>',
    summary: 'change the REST password of a user level',
    load: async () => (await import('./commands/password.js')).passwordCommand(),
  },
  {
    name: 'users',
    usage: '[options] [command]',
    summary: 'list, enable and disable user levels',
    load: async () => (await import('./commands/users.js')).usersCommand(),
  },
  {
    name: 'firmware',
    usage: '[options] [command]',
    summary: 'make, sign and inspect firmware files for virtual scanners',
    load: async () => (await import('./commands/firmware.js')).firmwareCommand(),
  },
  {
    name: 'sim',
    usage: '[options] [command]',
    summary: 'control the surroundings of a virtual scanner',
    load: async () => (await import('./commands/sim.js')).simCommand(),
  },
  {
    name: 'completion',
    usage: '[options] [shell]',
    summary: 'complete command lines in bash, zsh or fish',
    load: async () => (await import('./commands/completion.js')).completionCommand(commandTable),
  },
  {
    name: 'help',
    usage: '[options] [topic...]',
    summary: 'explain a command, or a topic such as passwords',
    load: async () => (await import('./commands/help.js')).helpCommand(commandTable),
  },
];

/** The command line for these arguments. Only the command that they name is loaded; the others are only listed. */
export async function azimuthProgram(argv: readonly string[]): Promise<Command> {
  const called = calledCommand(argv);
  return programOf(
    await Promise.all(
      commandTable.map(async (entry) => (entry.name === called ? await entry.load() : outlineOf(entry))),
    ),
    asksForJson(argv),
  );
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

function outlineOf({ name, usage, summary }: CommandEntry): Command {
  return new Command(name).usage(usage).summary(summary);
}
