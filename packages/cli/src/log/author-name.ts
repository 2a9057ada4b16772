import { hostname, userInfo } from 'node:os';

/** Who runs this command: `anna@desk7`. Behind sudo, it is the user who called it. */
export function authorName(): string {
  return `${process.env.SUDO_USER || userName()}@${hostname()}`;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // In containers, a user may have a number only.
    return `uid ${process.getuid?.() ?? '?'}`;
  }
}
