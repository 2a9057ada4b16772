import { type Publication, publications, RosbridgeBridge } from '@azimuth/bridge/rosbridge';
import { CommandFailure } from '../command-failure.js';
import { remark, untilInterrupted } from '../output/output.js';
import { type BridgeOptions, bridgedScanners } from './bridged-scanners.js';

export interface RosbridgeCommandOptions extends BridgeOptions {
  readonly ros: '1' | '2';
  readonly topic?: readonly string[];
}

/** Publishes scanners through a rosbridge server until Ctrl-C. */
export async function bridgeToRosbridge(url: string, options: RosbridgeCommandOptions): Promise<void> {
  const bridge = new RosbridgeBridge({
    url: checkedUrl(url),
    ros: options.ros === '1' ? 1 : 2,
    publish: (options.topic ?? publications).map(publicationNamed),
    scanners: await bridgedScanners(options),
    onLine: (line) => {
      if (options.quiet !== true) remark(line);
    },
  });
  await untilInterrupted((signal) => bridge.run(signal));
  if (bridge.dropped > 0 && options.quiet !== true)
    remark(`the server was too slow for ${bridge.dropped} messages`);
}

function publicationNamed(word: string): Publication {
  const found = publications.find((publication) => publication === word);
  if (found !== undefined) return found;
  throw new CommandFailure(`--topic: expected ${publications.join(', ')}, got ${JSON.stringify(word)}`);
}

/** Passwords are not for URLs: they would be in lists of processes and in errors. */
function checkedUrl(typed: string): string {
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  if (
    url === undefined ||
    !/^wss?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.hash !== ''
  )
    throw new CommandFailure(
      `expected the URL of a rosbridge server, such as ws://robot:9090, without a password, got ${JSON.stringify(withoutPassword(typed))}`,
    );
  return url.href;
}

function withoutPassword(typed: string): string {
  return typed.replace(/\/\/[^@/]*@/, '//…@');
}
