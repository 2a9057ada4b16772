import { transformTopics } from '@azimuth/device/ros2';
import { Log, SceneUpdate } from '@foxglove/schemas/jsonschema.js';
import type { Channel } from '@foxglove/ws-protocol';
import { type MessageSchema, messageEncoding, messageSchemas } from '../messages/index.js';
import { topicOf } from '../scanners/stream-topics.js';

type ChannelFacts = Omit<Channel, 'id'>;

/** Returns the facts of a channel of ROS 2 messages. */
export function rosChannel(topic: string, { name, encoding, definition }: MessageSchema): ChannelFacts {
  return {
    topic,
    encoding: messageEncoding,
    schemaName: name,
    schema: definition,
    schemaEncoding: encoding,
  };
}

/** Transforms of all scanners. */
export const transformChannel = rosChannel(`/${transformTopics.fixed}`, messageSchemas.transforms);

/** The log of all scanners. */
export const logChannel = jsonChannel('/log', 'foxglove.Log', Log);

/** @param name the part of the scanner in topics; empty if it is the only one */
export function fieldChannel(name: string): ChannelFacts {
  return jsonChannel(topicOf(name, 'fields'), 'foxglove.SceneUpdate', SceneUpdate);
}

function jsonChannel(topic: string, schemaName: string, schema: object): ChannelFacts {
  return {
    topic,
    encoding: 'json',
    schemaName,
    schema: JSON.stringify(schema),
    schemaEncoding: 'jsonschema',
  };
}
