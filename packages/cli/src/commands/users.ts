import { Command } from 'commander';
import { deviceOptions, withDeviceOptions, withExamples } from '../options.js';

export function usersCommand(): Command {
  const command = new Command('users')
    .summary('list the user levels, and switch them on and off')
    .description(
      'List the user levels, and whether they can log in as far as that can be told: no scanner tells it, so a level is tried where its password is given.',
    )
    .action(async () => {
      const { listUsers } = await import('../actions/users.js');
      await listUsers(deviceOptions(command));
    });
  command.addCommand(switchCommand('enable', true)).addCommand(switchCommand('disable', false));
  return withExamples(
    withDeviceOptions(command),
    'azimuth users',
    'azimuth users --user Maintenance --password-file main.txt',
    'azimuth users enable AuthorizedClient',
    'azimuth users disable Maintenance',
  );
}

function switchCommand(name: string, enabled: boolean): Command {
  const command = new Command(name)
    .description(`switch a user level ${enabled ? 'on' : 'off'}; needs Service, and is stored at once`)
    .argument('<level>', 'Maintenance or AuthorizedClient')
    .action(async (level: string) => {
      const { switchUser } = await import('../actions/users.js');
      await switchUser(level, enabled, deviceOptions(command));
    });
  return withDeviceOptions(command);
}
