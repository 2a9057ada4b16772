/**
 * What is wrong with certificates or their key, as `errorCode.error` tells it: at most 100 characters, and nothing of
 * what was sent but dates.
 */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
}

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** What stands between its first and its last line; base64, where it is one of today. */
  readonly body: string;
}

const begin = /-----BEGIN ([A-Z0-9 ]+)-----/;

/**
 * The blocks of a PEM text in their order. What stands between them, as tools write it, means nothing.
 * @param what names the text in a fault.
 * @throws BundleFault where a block has no end.
 */
export function pemBlocks(text: string, what: string): readonly PemBlock[] {
  const blocks: PemBlock[] = [];
  let rest = text;
  for (;;) {
    const found = begin.exec(rest);
    if (found === null) break;
    const [first, label = ''] = found;
    const start = found.index + first.length;
    const last = `-----END ${label}-----`;
    const end = rest.indexOf(last, start);
    const body = rest.slice(start, end);
    if (end < 0 || begin.test(body)) throw new BundleFault(`${what}: a BEGIN line without its END line`);
    blocks.push({ label, body });
    rest = rest.slice(end + last.length);
  }
  if (/-----(BEGIN|END)/.test(rest)) throw new BundleFault(`${what}: a BEGIN line without its END line`);
  return blocks;
}

/** What a block encodes; undefined where it is no base64, or nothing. */
export function bytesOf({ body }: PemBlock): Buffer | undefined {
  const text = body.replaceAll(/[ \t\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64');
}
