import { Option } from 'commander';
import type { FoxgloveCommandOptions } from '../bridge/foxglove-command.js';
import type { RosbridgeCommandOptions } from '../bridge/rosbridge-command.js';
import { Command } from '../options/command.js';
import { collect, portOption } from '../options/option-values.js';

/** `azimuth bridge`: scanners for viewers and robots. See docs/foxglove.md. */
export function defineCommand(command: Command): Command {
  command
    .description(
      'Pass on what scanners measure and tell to other programs, until Ctrl-C: to viewers that speak the protocol of Foxglove, or to a robot with rosbridge.',
    )
    .addCommand(foxgloveCommand())
    .addCommand(rosbridgeCommand());
  return command.withExamples('azimuth bridge foxglove', 'azimuth bridge rosbridge ws://robot:9090 --ros 1');
}

function foxgloveCommand(): Command {
  const command = new Command('foxglove')
    .summary('show scanners in Foxglove')
    .description(
      'Show scanners in Foxglove and other viewers of its WebSocket protocol: scans, points, IMU, transforms, fields, log and parameters. Streams are received only while a viewer shows them.',
    )
    .addOption(new Option('--host <address>', 'address at which it listens').default('127.0.0.1'))
    .addOption(new Option('--port <port>', 'its port; 0: any free one').default(8765).argParser(portOption))
    .addOption(
      new Option(
        '--allowed-origin <origin>',
        'let web pages of this origin connect, for example https://app.foxglove.dev; several times',
      ).argParser(collect),
    )
    .addOption(
      new Option(
        '--allowed-host <name>',
        'name by which the port may be called, beside its addresses and names without a dot; several times',
      ).argParser(collect),
    )
    .option('--aim', aimText)
    .option(
      '--remote-writes',
      'let pages of allowed origins and viewers on other computers set parameters, too, with the login of the bridge',
    )
    .action(async () => {
      const { bridgeToFoxglove } = await import('../bridge/foxglove-command.js');
      await bridgeToFoxglove(command.allOptions<FoxgloveCommandOptions>());
    });
  return command
    .withDeviceOptions()
    .withExamples(
      'azimuth bridge foxglove --device http://192.168.0.1',
      'azimuth bridge foxglove --device @hall/*',
      'azimuth bridge foxglove --aim --host 0.0.0.0',
      'azimuth bridge foxglove --allowed-origin https://app.foxglove.dev',
      'AZIMUTH_PASSWORD=… azimuth bridge foxglove    (viewers may set parameters)',
    );
}

const aimText =
  'make the scanner send to this computer while somebody wants its data, and restore its settings afterwards (needs a login)';

function rosbridgeCommand(): Command {
  const command = new Command('rosbridge')
    .summary('publish scanners in ROS through a rosbridge server')
    .description(
      'Publish scans, points, IMU and transforms in ROS 1 or ROS 2 through the rosbridge server of a robot. This computer needs no ROS. If the connection is lost, it is opened again.',
    )
    .argument('<url>', 'the rosbridge server: ws://HOST:9090 or wss://HOST')
    .addOption(new Option('--ros <version>', 'the ROS of the robot').choices(['1', '2']).default('2'))
    .addOption(
      new Option(
        '--topic <name>',
        'publish only this topic: scan, cloud, imu or tf; several times (default: all)',
      ).argParser(collect),
    )
    .option('--aim', aimText)
    .action(async (url: string) => {
      const { bridgeToRosbridge } = await import('../bridge/rosbridge-command.js');
      await bridgeToRosbridge(url, command.allOptions<RosbridgeCommandOptions>());
    });
  return command
    .withDeviceOptions()
    .withExamples(
      'azimuth bridge rosbridge ws://robot:9090',
      'azimuth bridge rosbridge ws://robot:9090 --ros 1 --device http://192.168.0.1 --aim',
      'azimuth bridge rosbridge ws://robot:9090 --device @hall/* --topic scan --topic tf',
    );
}
