/**
 * Why certificates or a key are refused. `errorCode.error` has the message: at most 100 characters, without any content of
 * what was sent, except dates.
 */
export class BundleFault extends Error {
  override readonly name = 'BundleFault';
}

/** One block of a PEM text (RFC 7468). */
export interface PemBlock {
  readonly label: string;
  /** The text between its first and its last line, usually base64. */
  readonly body: string;
}

const begin = /-----BEGIN ([A-Z0-9 ]+)-----/;

/**
 * The blocks of a PEM text in their order. Text between them, which some tools write, is ignored.
 * @param what names the text in a fault
 * @throws BundleFault if a block has no end
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
    if (end < 0 || begin.test(body)) throw new BundleFault(`${what}: a BEGIN line has no END line`);
    blocks.push({ label, body });
    rest = rest.slice(end + last.length);
  }
  if (/-----(BEGIN|END)/.test(rest)) throw new BundleFault(`${what}: a BEGIN line has no END line`);
  return blocks;
}

/** The bytes of a block; undefined if it is not base64, or empty. */
export function bytesOf({ body }: PemBlock): Buffer | undefined {
  const text = body.replaceAll(/[ \t\r\n]/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) return undefined;
  return Buffer.from(text, 'base64');
}
