import { Argument, Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { completionTable } from '../completion/make-table.js';
import { completionScripts, type Shell, shells } from '../completion/scripts.js';
import type { Command } from '../options/command.js';
import type { CommandEntry } from '../program.js';
import { createProgram } from '../program.js';

/** `azimuth completion`: the script that completes command lines in a shell. */
export function defineCommand(command: Command, commands: readonly CommandEntry[]): Command {
  return (
    command
      .description(
        `Print a script that completes command lines of azimuth: commands, options, names of variables and methods, their values, and scanners of azimuth devices. Install it with one of these, then open a new terminal:\n\n${shells.map((shell) => `  ${completionScripts[shell].install}`).join('\n')}`,
      )
      .addArgument(new Argument('[shell]', 'the shell').choices(shells))
      // Prints the candidates as JSON. The bundle has them in a file beside the program.
      .addOption(new Option('--table').hideHelp())
      .action(async (shell: Shell | undefined, { table = false }: { table?: boolean }) => {
        if (table) {
          const program = createProgram(await Promise.all(commands.map((entry) => entry.load())));
          process.stdout.write(JSON.stringify(completionTable(program)));
        } else if (shell === undefined) {
          throw new CommandFailure(`for which shell? azimuth completion ${shells.join('|')}`);
        } else process.stdout.write(completionScripts[shell].script);
      })
      .withExamples(
        'azimuth completion bash > ~/.local/share/bash-completion/completions/azimuth',
        'source <(azimuth completion bash)    (only in this terminal)',
      )
  );
}
