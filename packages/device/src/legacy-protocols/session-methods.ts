import { boolean, integer, struct, type ValueType } from '@azimuth/model';

/** The arguments of a login: the number of a level, and the hash of its password. */
export const loginRequest = struct({ level: integer('uint8'), password: integer('uint32') });

/** The response: true if it was granted. */
export const loginResponse = boolean();

interface SessionMethod {
  /** Undefined without arguments. */
  readonly request?: ValueType<unknown>;
  readonly response: ValueType<unknown>;
}

/** Methods of the legacy protocol itself, which concern the session of the caller. */
export const sessionMethods = {
  SetAccessMode: { request: loginRequest, response: loginResponse },
  CheckPassword: { request: loginRequest, response: loginResponse },
  Run: { response: loginResponse },
} as const satisfies Readonly<Record<string, SessionMethod>>;

export type SessionMethodName = keyof typeof sessionMethods;
