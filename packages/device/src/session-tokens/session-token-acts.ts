import { general } from '@azimuth/model';
import { type Act, act } from '../room.js';
import type { SessionTokens } from './session-tokens.js';

const { CreateSessionToken } = general.members;

/** Hands out tokens for file transfers, at the level of whoever asks. */
export function sessionTokenActs(sessionTokens: SessionTokens): readonly Act[] {
  return [act(CreateSessionToken, (_, { caller }) => sessionTokens.issue(caller.level))];
}
