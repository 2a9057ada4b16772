import { filter } from '@azimuth/model';
import {
  decodeParticipantEntities,
  encodeParticipantEntities,
  humbleGuidBytes,
} from '@azimuth/telegrams/ros2';
import { expect, test } from 'vitest';
import { nodes, nodesInHumble, RosScanner } from './scanner.js';

const older = (content: Uint8Array) =>
  encodeParticipantEntities(decodeParticipantEntities(content), humbleGuidBytes);

test('programs of ROS 2 Humble get the list of nodes with the longer GUIDs that they expect', async () => {
  const ros = await RosScanner.start();
  const jazzy = await ros.program([nodes]);
  // Lost samples are sent again in the same form.
  const lost = new Set<number>();
  const humble = await ros.program([nodesInHumble], (made) => {
    made.loses = (submessage) => {
      if (submessage.kind !== 'data' || (submessage.writer & 0xff) !== 3 || lost.has(submessage.sequence))
        return false;
      lost.add(submessage.sequence);
      return true;
    };
  });
  await ros.scanner.runUntil(() => jazzy.of(0).length === 1 && humble.of(0).length === 1);
  expect(lost.size).toBe(1);
  expect(humble.of(0).map(Buffer.from)).toEqual(jazzy.of(0).map(older).map(Buffer.from));
  ros.scanner.set(filter.members.FREchoFilter, 0);
  await ros.scanner.runUntil(() => jazzy.of(0).length === 2 && humble.of(0).length === 2);
  expect(humble.of(0).map(Buffer.from)).toEqual(jazzy.of(0).map(older).map(Buffer.from));
});

test('a program with readers of both kinds gets the newer form', async () => {
  const ros = await RosScanner.start();
  const mixed = await ros.program([nodes, nodesInHumble]);
  await ros.scanner.runUntil(() => mixed.of(0).length === 1);
  expect(decodeParticipantEntities(mixed.of(0)[0] ?? new Uint8Array(0)).nodes).toHaveLength(1);
});
