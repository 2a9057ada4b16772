import { CommandFailure } from '../command-failure.js';
import { longestFile, textOfFile } from '../input/bounded-file.js';

export interface TlsOptions {
  readonly tlsCert?: string;
  readonly tlsKey?: string;
}

/** A certificate with its chain, and its private key: PEM. */
export interface TlsFiles {
  readonly cert: string;
  readonly key: string;
}

/** @throws CommandFailure if only one of the files is named, or one cannot be read */
export async function tlsOf({ tlsCert, tlsKey }: TlsOptions): Promise<TlsFiles | undefined> {
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new CommandFailure('--tls-cert and --tls-key belong together: give both, or none');
  const [cert, key] = await Promise.all([
    textOfFile(tlsCert, { limit: longestFile.pem }),
    textOfFile(tlsKey, { limit: longestFile.pem }),
  ]);
  return { cert, key };
}
