import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McapRecording } from '@azimuth/bridge/mcap';
import { stringify } from '@foxglove/rosmsg';
import { ros2humble } from '@foxglove/rosmsg-msgs-common';
import { MessageWriter } from '@foxglove/rosmsg2-serialization';
import { begin, WrittenFile } from './telegrams.js';

/** Types and their definitions, as a program with the libraries of Foxglove has them: not those of Azimuth. */
export function foreignType(name: keyof typeof ros2humble) {
  const definitions = new Map<string, (typeof ros2humble)[typeof name]>();
  const collect = (type: keyof typeof ros2humble) => {
    const definition = ros2humble[type];
    definitions.set(type, definition);
    for (const { isComplex, type: nested } of definition.definitions) {
      if (isComplex === true && isName(nested) && !definitions.has(nested)) collect(nested);
    }
  };
  collect(name);
  const all = [...definitions.values()];
  return {
    schema: { name: name.replace('/', '/msg/'), encoding: 'ros2msg', definition: stringify(all) },
    encode: (message: unknown) => new MessageWriter(all).writeMessage(message),
  };
}

function isName(name: string): name is keyof typeof ros2humble {
  return name in ros2humble;
}

/** A channel of a foreign file, and its messages, 100 ms apart. */
export interface ForeignChannel {
  readonly topic: string;
  readonly encoding?: string;
  readonly schema?: { readonly name: string; readonly encoding: string; readonly definition: string };
  readonly messages: readonly Uint8Array[];
}

/** Writes a file of MCAP, and returns its path. */
export function foreignFile(
  folder: string,
  channels: readonly ForeignChannel[],
  name = 'other.mcap',
): string {
  const file = new WrittenFile();
  const recording = McapRecording.open(file.write, { profile: 'ros2', library: 'others' });
  for (const { topic, encoding = 'cdr', schema, messages } of channels) {
    const channel = recording.addChannel({ topic, encoding, schema });
    for (const [index, data] of messages.entries()) {
      const time = begin + index * 100_000;
      recording.append(channel, { logTime: time, publishTime: time, data });
    }
  }
  recording.end();
  const path = join(folder, name);
  writeFileSync(path, file.bytes);
  return path;
}

/** A header of the message with this number. */
export function headerOf(index: number) {
  const stamp = begin + index * 100_000;
  return {
    stamp: {
      sec: Math.floor(stamp / 1_000_000),
      nsec: (stamp % 1_000_000) * 1000,
      nanosec: (stamp % 1_000_000) * 1000,
    },
    frame_id: 'laser',
  };
}
