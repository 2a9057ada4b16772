import { InvalidArgumentError, Option } from 'commander';
import type { Command } from '../options/command.js';
import { collect, wholeNumberOption } from '../options/option-values.js';
import type { LogCommandOptions } from '../read-log/run-log.js';
import { timeOption } from '../read-log/time-option.js';

/** Kinds of entries, with what they are about. */
const kinds = {
  condition: 'trouble that begins or ends',
  parameter: 'changed parameters',
  value: 'changed states, such as the release',
  happening: 'boots, backups',
  command: 'what commands of ours wrote',
  monitor: 'the monitor itself',
} as const;

type Kind = keyof typeof kinds;

/** `azimuth log`: reads the log of the monitor. See docs/monitor.md. */
export function defineCommand(command: Command): Command {
  return command
    .description(
      'Print what the monitor has logged about scanners: trouble, changed parameters and who changed them, boots, commands. Without --since, --until and --limit, it prints the last 24 hours.',
    )
    .option(
      '--device <name>',
      'entries about @NAME, @GROUP/* or a pattern only, also if the name is no longer in azimuth devices; repeatable',
      collect,
    )
    .addOption(sinceOption('--since', 'entries from this time on: 30m, 3h, 2d ago, or 2026-11-29T08:30'))
    .addOption(sinceOption('--until', 'entries up to this time'))
    .option('--parameter <pattern>', 'changes of this parameter and its parts; * stands for any characters')
    .addOption(
      new Option(
        '--kind <kind>',
        `entries of one kind, repeatable: ${Object.entries(kinds)
          .map(([kind, text]) => `${kind} (${text})`)
          .join(', ')}`,
      ).argParser(kindOption),
    )
    .option('--condition <pattern>', 'conditions with this identifier, such as unreachable')
    .addOption(
      new Option('--limit <entries>', 'only the last ones').argParser(wholeNumberOption(1, 1_000_000)),
    )
    .option('--follow', 'go on with new entries as they come, until Ctrl-C')
    .option('--log <folder>', 'the folder of the log (env: AZIMUTH_LOG)')
    .option(
      '--store <url>',
      'the database of the log: postgres://USER@HOST/DATABASE (env: AZIMUTH_LOG_STORE)',
    )
    .option('--json', 'print JSON, a line for each entry')
    .action(async () => {
      const { runLog } = await import('../read-log/run-log.js');
      await runLog(command.allOptions<LogCommandOptions>());
    })
    .withExamples(
      'azimuth log',
      'azimuth log @hall-a --since 2d --parameter LFP*',
      'azimuth log --kind condition --condition unreachable --since 2026-11-01',
      'azimuth log --follow',
      'azimuth log --limit 1000 --json | jq -r .scanner | sort | uniq -c',
    );
}

function sinceOption(flag: string, text: string): Option {
  return new Option(`${flag} <time>`, text).argParser((typed) => timeOption(typed));
}

function kindOption(typed: string, before: readonly Kind[] = []): readonly Kind[] {
  const names = Object.keys(kinds).filter((kind): kind is Kind => kind === typed);
  if (names.length === 0) throw new InvalidArgumentError(`Expected one of ${Object.keys(kinds).join(', ')}.`);
  return [...before, ...names];
}
