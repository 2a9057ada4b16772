import { RecordedFile, type RecordedRevolution } from '@azimuth/bridge/foreign';
import { counted } from '@azimuth/model';
import { remark } from '../output/output.js';

/**
 * Returns the telegrams that a recording of MCAP or rosbag2 plays: those of a scanner, or else made of the scans of a topic.
 * @param topic whose scans are played; chosen by default
 * @throws McapError
 */
export function playedFile(path: string, topic: string | undefined): Iterable<RecordedRevolution> {
  const file = RecordedFile.open(path);
  if (file.cutAt !== undefined) remark(`the recording is cut off, and played up to there: ${file.cutAt}`);
  if (file.hasTelegrams && topic === undefined) return file.telegrams();
  const chosen = file.topicOf(topic);
  remark(`plays ${chosen.topic} (${chosen.type}, ${counted(chosen.messages, 'message')})`);
  return file.revolutions(chosen.topic);
}
