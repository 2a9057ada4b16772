import { FrameAssembly } from '@azimuth/client';
import type { Received } from '@azimuth/client/receive';
import { stampOfFrame, stampOfTelegram } from '../messages/index.js';
import type { BridgedScanner, BridgedStream } from './bridged-scanner.js';
import { frameIdOf, type StreamTopic, streamTopics } from './stream-topics.js';
import { WhileWanted } from './while-wanted.js';

/** A message of a topic. */
export interface StreamMessage {
  readonly topic: StreamTopic;
  /** CDR. */
  readonly data: Uint8Array;
  /** Time of reception: µs since 1970. */
  readonly received: number;
}

export interface ScannerStreamsOptions {
  readonly scanner: BridgedScanner;
  readonly onMessage: (message: StreamMessage) => void;
  /** Told why a stream does not arrive; undefined when it does. */
  readonly onState: (stream: BridgedStream, failure: string | undefined) => void;
}

/**
 * The data streams of a scanner as messages of topics. A stream is received while somebody wants one of its topics, and
 * messages are made of wanted topics only.
 */
export class ScannerStreams {
  readonly #options: ScannerStreamsOptions;
  readonly #streams: Readonly<Record<BridgedStream, WhileWanted>>;
  readonly #wanted = new Map<StreamTopic, number>();

  constructor(options: ScannerStreamsOptions) {
    this.#options = options;
    this.#streams = { scan: this.#stream('scan'), imu: this.#stream('imu') };
  }

  /** Wants the messages of a topic from now on. @returns ends that; further calls of it do nothing */
  want(topic: StreamTopic): () => void {
    this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) + 1);
    const endStream = this.#streams[topic.stream].want();
    let wants = true;
    return () => {
      if (!wants) return;
      wants = false;
      this.#wanted.set(topic, (this.#wanted.get(topic) ?? 0) - 1);
      endStream();
    };
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#streams).map((stream) => stream.close()));
  }

  #stream(stream: BridgedStream): WhileWanted {
    const { scanner, onState } = this.#options;
    return new WhileWanted({
      work: (signal, works) => {
        const assembly = new FrameAssembly();
        return scanner.receive(stream, {
          signal,
          onOpen: works,
          onReceived: (received) => this.#pass(received, assembly),
        });
      },
      onState: (failure) => onState(stream, failure),
    });
  }

  #pass({ telegram, time, from }: Received, assembly: FrameAssembly): void {
    const frameId = frameIdOf(this.#options.scanner.name);
    if (telegram.kind === 'imu') {
      const header = { frameId, stamp: stampOfTelegram(telegram.telegram.time, time) };
      for (const topic of this.#wantedOf('imu'))
        if (topic.stream === 'imu') this.#tell(topic, topic.ofImu(telegram.telegram, header), time);
    } else if (telegram.kind === 'scan') {
      for (const frame of assembly.push(telegram.telegram, from)) {
        const header = { frameId, stamp: stampOfFrame(frame, time) };
        for (const topic of this.#wantedOf('scan'))
          if (topic.stream === 'scan') this.#tell(topic, topic.ofFrame(frame, header), time);
      }
    }
  }

  #wantedOf(stream: BridgedStream): readonly StreamTopic[] {
    return streamTopics.filter((topic) => topic.stream === stream && (this.#wanted.get(topic) ?? 0) > 0);
  }

  #tell(topic: StreamTopic, data: Uint8Array, received: number): void {
    this.#options.onMessage({ topic, data, received });
  }
}
