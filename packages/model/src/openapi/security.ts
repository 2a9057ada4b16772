import { sessionTokenHeader } from '../envelope.js';
import { filesOf } from '../interface.js';
import type { Edition } from '../release.js';
import type { SecurityScheme } from './document.js';

export const tokenSchemeName = 'sessionToken';

/** The ways to authenticate that OpenAPI has a word for: none, in releases that ask for no session token. */
export function securitySchemes(edition: Edition): Record<string, SecurityScheme> {
  const files = [...filesOf(edition).values()];
  const asked = files.some((file) => file.verbs.some((verb) => file.needsToken(verb, edition.release)));
  if (!asked) return {};
  return {
    [tokenSchemeName]: {
      type: 'apiKey',
      in: 'header',
      name: sessionTokenHeader,
      description:
        'For file transfers: CreateSessionToken hands it out, for several of them until it expires.',
    },
  };
}
