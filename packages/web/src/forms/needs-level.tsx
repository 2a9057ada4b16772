import type { Level } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { loginWanted } from '../session/login-wanted.js';

/** Says which level something needs, with the way to log in; nothing if the present login reaches it. */
export function NeedsLevel({ level }: { level: Level }) {
  if (scanner().login.mayAs(level)) return null;
  return (
    <button type="button" class="needs-level small" onClick={() => loginWanted(level)}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        <path d="M3 5V4a3 3 0 0 1 6 0v1h1v6H2V5Zm1.5 0h3V4a1.5 1.5 0 0 0-3 0Z" fill="currentColor" />
      </svg>
      Needs {level}
    </button>
  );
}
