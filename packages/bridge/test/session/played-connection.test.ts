import { frameText } from '@azimuth/telegrams/legacy';
import { expect, test } from 'vitest';
import { legacyDialogue } from '../../src/session/dialogues.js';
import { PlayedConnection } from '../../src/session/played-connection.js';
import { RecordedConnections } from '../../src/session/recorded-connections.js';

test('a program that sends nothing more gets its answers, and then the end', async () => {
  const request = frameText('sRN A');
  const of = { connection: 1 };
  const recorded = new RecordedConnections<Uint8Array>(
    [{ ...of, opened: 0, closed: undefined }],
    [
      { ...of, at: 1000, direction: 'to scanner', message: request },
      { ...of, at: 4000, direction: 'from scanner', message: frameText('sRA A 1') },
    ],
    legacyDialogue,
  );
  const happened: string[] = [];
  await new Promise<void>((resolve) => {
    const played = new PlayedConnection<Uint8Array>({
      ...{ recorded, dialogue: legacyDialogue, isUnknown: () => expect.unreachable() },
      send: (message) => void happened.push(Buffer.from(message.subarray(1, -1)).toString()),
      end: () => {
        happened.push('end');
        resolve();
      },
    });
    played.receive(request);
    played.finish();
    expect(happened).toEqual([]);
  });
  expect(happened).toEqual(['sRA A 1', 'end']);
});
