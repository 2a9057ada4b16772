import type { Frame } from '@azimuth/client';
import { CommandFailure } from '../command-failure.js';
import type { Source } from './sources.js';

/**
 * The frames of a source, complete or not. Where none comes for so long after the beginning, it gives up.
 * @param wait seconds
 * @throws CommandFailure that tells what came instead
 */
export async function* framesOf(
  source: Source,
  wait: number,
  isWanted: (frame: Frame) => boolean = () => true,
): AsyncGenerator<Frame, void, undefined> {
  const { receiver } = source;
  let came = false;
  let late = false;
  const limit = setTimeout(() => {
    late = true;
    receiver.close();
  }, wait * 1000);
  try {
    for await (const frame of receiver.frames()) {
      if (late || !isWanted(frame)) continue;
      came = true;
      clearTimeout(limit);
      yield frame;
    }
  } finally {
    clearTimeout(limit);
  }
  if (late && !came) throw new CommandFailure(silence(source, wait), 'unreachable');
}

function silence({ receiver, place }: Source, wait: number): string {
  const { damaged, telegrams } = receiver.losses;
  const begin = `no whole frame came at ${place} within ${wait} s`;
  if (damaged > 0) {
    return `${begin}; ${damaged} datagrams came that are no telegrams in Compact or MSGPACK, or damaged ones`;
  }
  if (telegrams > 0) return `${begin}; ${telegrams} telegrams were lost on the way`;
  return `${begin}; is the scanner measuring, does it send here, and does no firewall keep it out?`;
}
