import { scanner } from '../connection/current.js';
import { ParameterList } from '../parameters/parameter-list.js';

/** All parameters, group by group. */
export default function Parameters() {
  const edition = scanner().edition.value;
  if (edition === undefined) return <p class="empty">Asking the scanner what it has …</p>;
  return <ParameterList edition={edition} />;
}
