import { once } from 'node:events';
import { guiFolder } from '@azimuth/server/pages';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { GuiServer } from '../gui/gui-server.js';
import type { GuiSite, ShownScanner } from '../gui/gui-site.js';
import { checkedAddress, shownScanners } from '../gui/shown-scanners.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { portOption } from '../options/option-values.js';
import { WordArgument } from '../options/word-argument.js';
import { jsonText, print, printable, untilInterrupted } from '../output/output.js';

export function defineCommand(command: Command): Command {
  return command
    .description(
      'Show one or many scanners in the browser, until Ctrl-C. The pages are served by this computer, so they work for every scanner. Scan data is shown if it arrives here; a page can make a scanner send it here, and its settings are restored at the end.',
    )
    .addArgument(
      new WordArgument(
        '[url...]',
        'scanners to show: URLs, @NAME, @GROUP/* or @* (default: those of --device)',
        'scanner',
      ),
    )
    .addOption(
      new Option('--port <port>', 'port for the browser; 0: any free one')
        .default(8088)
        .argParser(portOption),
    )
    .option('--host <address>', 'address to listen at', '127.0.0.1')
    .option(
      '--monitor <url>',
      'take states, history and log from this running azimuth monitor, and its scanners if none are named',
    )
    .action((urls: string[]) => show(urls, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth gui http://192.168.0.1',
      'azimuth gui http://192.168.0.1 http://192.168.0.2 http://192.168.0.3',
      'azimuth gui @hall/*    (all scanners of a group of azimuth devices)',
      'azimuth gui --monitor http://127.0.0.1:9464    (all scanners of azimuth monitor, with their history)',
      'azimuth gui @hall/* --monitor http://192.168.0.5:9464',
      'azimuth gui --port 0 --json',
    );
}

interface GuiOptions extends DeviceOptions {
  readonly port: number;
  readonly host: string;
  /** Address of a monitor. */
  readonly monitor?: string;
}

async function show(named: readonly string[], options: GuiOptions): Promise<void> {
  const device = [...(options.device ?? []), ...named];
  const { scanners, site } = await shownSite({ ...options, device });
  await untilInterrupted(async (signal) => {
    const { host, port } = options;
    const server = new GuiServer({ folder: guiFolder, host, port, scanners, site });
    const address = await opened(server, options);
    try {
      const ready =
        options.json === true ? jsonText({ ready: true, url: address }) : welcomeText(address, scanners);
      await print(`${ready}\n`, signal);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.close();
    }
  });
}

/** Returns the scanners to show, and who knows how they are: a running monitor, or this process. @throws CommandFailure */
async function shownSite(
  options: DeviceOptions & Pick<GuiOptions, 'monitor'>,
): Promise<{ readonly scanners: readonly ShownScanner[]; readonly site: GuiSite }> {
  if (options.monitor === undefined) {
    const { WatchedSite } = await import('../gui/watched-site.js');
    const scanners = await shownScanners(options);
    return { scanners, site: new WatchedSite(scanners) };
  }
  const [{ MonitorClient }, { MonitoredSite }, { monitoredScanners }] = await Promise.all([
    import('../gui/monitor-client.js'),
    import('../gui/monitored-site.js'),
    import('../gui/monitored-scanners.js'),
  ]);
  const client = new MonitorClient(checkedAddress(options.monitor));
  const isNamed = (options.device ?? []).length > 0;
  const scanners = isNamed ? await shownScanners(options) : await monitoredScanners(client);
  return { scanners, site: new MonitoredSite(client, scanners) };
}

async function opened(server: GuiServer, { host, port }: GuiOptions): Promise<string> {
  try {
    return await server.open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${host}:${port} cannot be opened: ${reason}. Name another one with --port`);
  }
}

function welcomeText(address: string, scanners: readonly ShownScanner[]): string {
  const lines = scanners.map(({ name, url }) => printable(name === url ? `  ${url}` : `  ${name}  ${url}`));
  return [`Open ${address} in a browser. Ctrl-C ends.`, ...lines].join('\n');
}
