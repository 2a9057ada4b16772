import { once } from 'node:events';
import { scannerAddress } from '@azimuth/client';
import { guiFolder } from '@azimuth/server/pages';
import { Option } from 'commander';
import { CommandFailure } from '../command-failure.js';
import { GuiServer } from '../gui/gui-server.js';
import type { Command, DeviceOptions } from '../options/command.js';
import { portOption } from '../options/option-values.js';
import { WordArgument } from '../options/word-argument.js';
import { jsonText, print, printable, untilInterrupted } from '../output/output.js';
import { chosenScanners } from '../scanners/chosen.js';

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
    .action((urls: string[]) => show(urls, command.allOptions()))
    .withDeviceOptions()
    .withExamples(
      'azimuth gui http://192.168.0.1',
      'azimuth gui http://192.168.0.1 http://192.168.0.2 http://192.168.0.3',
      'azimuth gui @hall/*    (all scanners of a group of azimuth devices)',
      'azimuth gui --port 0 --json',
    );
}

interface GuiOptions extends DeviceOptions {
  readonly port: number;
  readonly host: string;
}

async function show(named: readonly string[], options: GuiOptions): Promise<void> {
  const device = [...(options.device ?? []), ...named];
  const { targets } = await chosenScanners({ ...options, device });
  const urls = targets.map(({ url }) => parseAddress(url));
  await untilInterrupted(async (signal) => {
    const server = new GuiServer({ folder: guiFolder, host: options.host, port: options.port, urls });
    const address = await opened(server, options);
    try {
      const ready =
        options.json === true ? jsonText({ ready: true, url: address }) : welcomeText(address, urls);
      await print(`${ready}\n`, signal);
      if (!signal.aborted) await once(signal, 'abort');
    } finally {
      await server.close();
    }
  });
}

async function opened(server: GuiServer, { host, port }: GuiOptions): Promise<string> {
  try {
    return await server.open();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(`${host}:${port} cannot be opened: ${reason}. Name another one with --port`);
  }
}

function parseAddress(text: string): string {
  try {
    return scannerAddress(text).href.replace(/\/$/, '');
  } catch (error) {
    if (error instanceof TypeError) throw new CommandFailure(error.message);
    throw error;
  }
}

function welcomeText(address: string, urls: readonly string[]): string {
  return [`Open ${address} in a browser. Ctrl-C ends.`, ...urls.map((url) => `  ${printable(url)}`)].join(
    '\n',
  );
}
