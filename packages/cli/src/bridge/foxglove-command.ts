import { FoxgloveBridge } from '@azimuth/bridge/foxglove';
import { PortTaken, webOrigin } from '@azimuth/http';
import { CommandFailure } from '../command-failure.js';
import { allowedHosts } from '../options/allowed-hosts.js';
import { jsonText, remark, untilInterrupted } from '../output/output.js';
import { type BridgeOptions, bridgedScanners } from './bridged-scanners.js';

export interface FoxgloveCommandOptions extends BridgeOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedOrigin?: readonly string[];
  readonly allowedHost?: readonly string[];
  readonly remoteWrites?: boolean;
}

/** Serves scanners to viewers until Ctrl-C. */
export async function bridgeToFoxglove(options: FoxgloveCommandOptions): Promise<void> {
  const { quiet = false, json = false } = options;
  const scanners = await bridgedScanners(options);
  const bridge = new FoxgloveBridge({
    scanners,
    host: options.host,
    port: options.port,
    allowedHosts: allowedHosts(options.allowedHost ?? []),
    allowedOrigins: (options.allowedOrigin ?? []).map(checkedOrigin),
    remoteWrites: options.remoteWrites === true,
    onLine: (line) => {
      if (!quiet) remark(line);
    },
  });
  await untilInterrupted(async (signal) => {
    const url = await bridge.open().catch((error: unknown) => {
      throw error instanceof PortTaken ? new CommandFailure(error.message, 'refused') : error;
    });
    const titles = scanners.map(({ title }) => title);
    process.stdout.write(
      json
        ? `${jsonText({ url, scanners: titles })}\n`
        : `Open ${url} in Foxglove (Open connection, Foxglove WebSocket): ${titles.join(', ')}\n`,
    );
    await aborted(signal);
    await bridge.close();
  });
}

/** Origins of pages; `file://` is the one of programs such as the desktop application. */
function checkedOrigin(typed: string): string {
  if (typed === 'file://') return typed;
  const origin = webOrigin(typed);
  if (origin !== undefined) return origin;
  throw new CommandFailure(
    `--allowed-origin: expected an origin like https://app.foxglove.dev, got ${JSON.stringify(typed)}`,
  );
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
}
