import { scanner } from '../connection/current.js';
import { Since } from '../parts/since.js';

/** While the scanner is away because somebody here has asked for it: what it does, and for how long. */
export function AbsenceBanner() {
  const { absences } = scanner();
  const absence = absences.current.value;
  if (absence === undefined) return null;
  if (absence.kind === 'back') {
    return (
      <div class="absence" role="status">
        <strong>The scanner is back</strong>
        <span class="soft">after {absence.seconds} s. This page is up to date again.</span>
      </div>
    );
  }
  return (
    <div class="absence" role="status">
      <strong>The scanner {absence.reason}</strong>
      <span class="soft">
        <Since start={absence.since} /> s so far. This page reconnects by itself.
      </span>
      <progress aria-label={`The scanner ${absence.reason}`} />
    </div>
  );
}
