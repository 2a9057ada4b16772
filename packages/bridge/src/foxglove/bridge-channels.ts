import type { Channel } from '@foxglove/ws-protocol';
import type { BridgedScanner } from '../scanners/bridged-scanner.js';
import { poseWhileWanted } from '../scanners/scanner-pose.js';
import { ScannerStreams } from '../scanners/scanner-streams.js';
import { frameIdOf, streamTopics, topicOf } from '../scanners/stream-topics.js';
import { fieldChannel, logChannel, rosChannel, transformChannel } from './channels.js';
import { fieldScene } from './field-scene.js';
import { type LogEntry, logMessage } from './log-messages.js';
import type { Problems } from './problems.js';
import { ScannerFields } from './scanner-fields.js';
import { logWhileWanted } from './scanner-log.js';

/** A channel, and what makes its messages. */
export interface BridgeChannel {
  readonly facts: Omit<Channel, 'id'>;
  /** True if its messages must not get lost. */
  readonly isKept: boolean;
  /**
   * Of a channel whose last message counts until the next one: true while the next one is waited for. Until then, the last one
   * is sent again to those who subscribe.
   */
  readonly isFollowed?: () => boolean;
  /** Makes messages from now on. @returns ends that */
  readonly want: () => () => void;
}

/** Passes on a message of a channel. @param time µs since 1970 @param key distinguishes states of one channel */
export type SendMessage = (channel: BridgeChannel, time: number, data: Uint8Array, key?: string) => void;

/** All channels of a bridge, in the order in which viewers list them. */
export interface BridgeChannels {
  readonly channels: readonly BridgeChannel[];
  /** Writes a line into the log. */
  readonly log: (name: string, entry: LogEntry) => void;
  /** Ends everything. */
  readonly close: () => Promise<void>;
}

interface Closable {
  close(): Promise<void>;
}

/** Makes the channels of these scanners. */
export function bridgeChannels(
  scanners: readonly BridgedScanner[],
  problems: Problems,
  send: SendMessage,
): BridgeChannels {
  const working: Closable[] = [];
  const begun = <T extends Closable>(work: T): T => {
    working.push(work);
    return work;
  };
  const log = logOf(scanners, send, begun);
  const transforms = transformsOf(scanners, problems, send, begun);
  const ofScanners = scanners.flatMap((scanner) => [
    ...streamChannels(scanner, problems, send, begun),
    fieldsOf(scanner, problems, send, begun),
  ]);
  return {
    channels: [...ofScanners, transforms, log.channel],
    log: log.write,
    close: async () => {
      await Promise.all(working.map((work) => work.close()));
    },
  };
}

type Begun = <T extends Closable>(work: T) => T;

function streamChannels(
  scanner: BridgedScanner,
  problems: Problems,
  send: SendMessage,
  begun: Begun,
): readonly BridgeChannel[] {
  const channels = streamTopics.map((topic): [typeof topic, BridgeChannel] => [
    topic,
    {
      facts: rosChannel(topicOf(scanner.name, topic.name), topic.schema),
      isKept: false,
      want: () => streams.want(topic),
    },
  ]);
  const byTopic = new Map(channels);
  const streams = begun(
    new ScannerStreams({
      scanner,
      onMessage: ({ topic, data, received }) => {
        const channel = byTopic.get(topic);
        if (channel !== undefined) send(channel, received, data);
      },
      onState: (stream, failure) =>
        problems.set(
          `${scanner.title} ${stream}`,
          failure === undefined ? undefined : `${scanner.title}: no ${titles[stream]} arrives: ${failure}`,
        ),
    }),
  );
  return [...byTopic.values()];
}

const titles = { scan: 'scan data', imu: 'IMU data' } as const;

function fieldsOf(
  scanner: BridgedScanner,
  problems: Problems,
  send: SendMessage,
  begun: Begun,
): BridgeChannel {
  let shown = new Set<number>();
  const fields = begun(
    new ScannerFields(
      scanner,
      ({ outlines, results }) => {
        const now = new Set(outlines.map(({ id }) => id));
        const removed = [...shown].filter((id) => !now.has(id));
        shown = now;
        const stamp = Date.now() * 1000;
        const scene = fieldScene({ frameId: frameIdOf(scanner.name), stamp, outlines, results, removed });
        send(channel, stamp, jsonBytes(scene));
      },
      (failure) =>
        problems.set(
          `${scanner.title} fields`,
          failure === undefined ? undefined : `${scanner.title}: its fields are not shown: ${failure}`,
        ),
    ),
  );
  const channel: BridgeChannel = {
    facts: fieldChannel(scanner.name),
    isKept: false,
    isFollowed: () => fields.isFollowed,
    want: () => fields.want(),
  };
  return channel;
}

function transformsOf(
  scanners: readonly BridgedScanner[],
  problems: Problems,
  send: SendMessage,
  begun: Begun,
): BridgeChannel {
  const poses = scanners.map((scanner) =>
    begun(
      poseWhileWanted(
        scanner,
        (message, read) => send(channel, read, message, scanner.name),
        (failure) =>
          problems.set(
            `${scanner.title} pose`,
            failure === undefined ? undefined : `${scanner.title}: its pose cannot be read: ${failure}`,
          ),
      ),
    ),
  );
  const channel: BridgeChannel = {
    facts: transformChannel,
    // Several scanners share it: the newest message would be of one of them.
    isKept: true,
    isFollowed: () => poses.some((pose) => pose.isRunning),
    want: () => allOf(poses.map((pose) => pose.want())),
  };
  return channel;
}

function logOf(scanners: readonly BridgedScanner[], send: SendMessage, begun: Begun) {
  const write = (name: string, entry: LogEntry) => {
    const stamp = Date.now() * 1000;
    send(channel, stamp, jsonBytes(logMessage(entry, name, stamp)));
  };
  const logs = scanners.map((scanner) =>
    begun(logWhileWanted(scanner, (entry) => write(scanner.title, entry))),
  );
  const channel: BridgeChannel = {
    facts: logChannel,
    isKept: true,
    want: () => allOf(logs.map((log) => log.want())),
  };
  return { channel, write };
}

function allOf(ends: readonly (() => void)[]): () => void {
  return () => {
    for (const end of ends) end();
  };
}

function jsonBytes(value: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(value));
}
