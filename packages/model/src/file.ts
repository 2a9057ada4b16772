import { type CommonFacts, Declaration } from './declaration.js';
import { isFrom, type Release } from './release.js';

/** What one verb of a file takes or gives. */
export interface FileTransfer {
  /** The media types of the body that is sent, any of them. */
  readonly accepts?: readonly string[];
  /** The name of the part that holds the file where the body is multipart/form-data. */
  readonly part?: string;
  /** The largest body, in bytes. */
  readonly maxBytes?: number;
  /** The media type of the reply. */
  readonly produces?: string;
  /** The query parameters; all of them are required. */
  readonly query?: readonly string[];
  /** The first release that asks for `X-Session-Token`; none does where nothing is stated. */
  readonly tokenSince?: Release;
  readonly text: string;
}

export type FileVerb = 'GET' | 'PUT' | 'POST';

export interface FileFacts extends CommonFacts {
  readonly verbs: Readonly<Partial<Record<FileVerb, FileTransfer>>>;
}

/** A file that is transferred as it is, outside the JSON envelope; its failures are real HTTP statuses. */
export class FileEndpoint extends Declaration {
  readonly kind = 'file';

  constructor(override readonly facts: FileFacts) {
    super();
  }

  /** The verbs that it knows. */
  get verbs(): readonly FileVerb[] {
    const known: readonly FileVerb[] = ['GET', 'PUT', 'POST'];
    return known.filter((verb) => this.facts.verbs[verb] !== undefined);
  }

  /** Does this verb need a session token in this release (specification, Session token for binary transfers)? */
  needsToken(verb: FileVerb, release: Release): boolean {
    const since = this.facts.verbs[verb]?.tokenSince;
    return since !== undefined && isFrom(release, since);
  }
}

export function file(facts: FileFacts): FileEndpoint {
  return new FileEndpoint(facts);
}
