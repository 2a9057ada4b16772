/** What a scanner has sent of a data stream since it started, by its own count. */
export interface SentTelegrams {
  /** Sent to the network, counted for each receiver. */
  readonly telegrams: number;
  /** Refused by their destination: nobody listened there. */
  readonly refused: number;
  /** Lost for other reasons. */
  readonly lost: number;
  /** Why a stream that is on cannot send; undefined if it can. */
  readonly down: string | undefined;
}

/** A line of the Prometheus text format: name, labels, value. */
const sampleLine = /^(\w+)\{([^}]*)\} ([\d.e+]+)$/gm;

/**
 * Reads the page `/metrics` of a scanner.
 * @param stream the label of the stream: `scan`, `ros2`
 * @returns undefined if the page does not tell about this stream
 */
export function sentTelegramsIn(page: string, stream: string): SentTelegrams | undefined {
  let telegrams: number | undefined;
  let refused = 0;
  let lost = 0;
  let down: string | undefined;
  for (const [, name, labels = '', text] of page.matchAll(sampleLine)) {
    if (labelIn(labels, 'stream') !== stream) continue;
    const value = Number(text);
    const reason = labelIn(labels, 'reason');
    if (name === 'azimuth_telegrams_total') telegrams = value;
    else if (name === 'azimuth_stream_down' && value > 0) down = reason;
    else if (name !== 'azimuth_telegram_errors_total') continue;
    else if (reason === 'refused') refused += value;
    else lost += value;
  }
  return telegrams === undefined ? undefined : { telegrams, refused, lost, down };
}

function labelIn(labels: string, name: string): string | undefined {
  return new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1];
}
