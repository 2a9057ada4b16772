import {
  type BridgedScanner,
  type BridgedStream,
  BridgeLogin,
  type ReceiveMeans,
  receiveLiveScans,
  topicNamesOf,
} from '@azimuth/bridge/scanners';
import { CommandFailure } from '../command-failure.js';
import type { DeviceOptions } from '../options/command.js';
import { remark } from '../output/output.js';
import { withSources } from '../scan-data/sources.js';
import { chosenScanners } from '../scanners/chosen.js';
import { scannerAt, scannerWithLogin } from '../scanners/connection.js';
import type { Target } from '../scanners/target.js';

/** Options of bridges in addition to those of scanners. */
export interface BridgeOptions extends DeviceOptions {
  readonly aim?: boolean;
}

/** Returns the scanners of the options as bridges use them. Nothing is sent yet. @throws CommandFailure */
export async function bridgedScanners(options: BridgeOptions): Promise<readonly BridgedScanner[]> {
  const { targets, several } = await chosenScanners(options);
  const names = topicNamesOf(targets.map(({ label }) => label));
  return Promise.all(
    targets.map((target, index) => bridged(target, several ? (names[index] ?? '') : '', options)),
  );
}

async function bridged(target: Target, name: string, { aim }: BridgeOptions): Promise<BridgedScanner> {
  const hasPassword = (await target.knownPasswordOf(target.user)) !== undefined;
  // A password that is missing is asked for now, and not while the bridge runs.
  if (aim === true) await target.passwordOf(target.user);
  const scanner = scannerAt(target);
  const login = hasPassword || aim === true ? new BridgeLogin(() => scannerWithLogin(target)) : undefined;
  return {
    name,
    title: target.label,
    scanner,
    login,
    receive: async (stream, means) => {
      if (aim !== true && stream === 'scan' && (await receiveLiveScans(scanner, means))) return;
      if (aim === true) await login?.use(() => receiveSent(target, true, stream, means));
      else await receiveSent(target, false, stream, means);
    },
  };
}

/** Receives what the scanner sends here by its settings, or with `aim` by others while it is received. */
async function receiveSent(
  target: Target,
  aim: boolean,
  stream: BridgedStream,
  { signal, onOpen, onReceived }: ReceiveMeans,
): Promise<void> {
  try {
    await withSources({ target, aim, onOther: remark }, [stream], signal, async ({ sources: [source] }) => {
      onOpen();
      for await (const received of source.receiver) onReceived(received);
    });
  } catch (error) {
    // Nobody wants the stream any more, so nobody else would say that the settings of the scanner were not restored.
    if (!signal.aborted || !(error instanceof CommandFailure)) throw error;
    remark(`${target.label}: ${error.message}`);
  }
}
