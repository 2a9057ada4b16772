/** The answer to getChallenge: what the next protected POST is to be signed with. */
export interface Challenge {
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** 0 to 16 bytes. With any, the salted form of hash1 is required. */
  readonly salt: readonly number[];
}

/** The `header` of a protected POST: proof that the caller knows the password of `user`. */
export interface Credentials {
  readonly user: string;
  readonly realm: string;
  readonly nonce: string;
  readonly opaque: string;
  /** 64 lower-case hex characters. */
  readonly response: string;
}

/** The response header, percent-encoded where needed, that says in words where and why a value was refused. */
export const detailHeader = 'Azimuth-Detail';

/** The header that carries the token of a file transfer (specification, Session token for binary transfers). */
export const sessionTokenHeader = 'X-Session-Token';
