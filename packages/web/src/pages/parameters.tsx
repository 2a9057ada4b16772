import { scanner } from '../connection/current.js';
import { ParameterForm } from '../forms/parameter-form.js';
import { variablesOf } from '../forms/variables.js';

/** All parameters, group by group. */
export default function Parameters() {
  const edition = scanner().edition.value;
  if (edition === undefined) return <p class="empty">Loading …</p>;
  const shown = variablesOf(edition).filter(({ stored }) => stored);
  return (
    <div class="content">
      <h1>Parameters</h1>
      <p class="soft">
        Everything that you can set. A written value counts at once; save it to keep it after a reboot.
      </p>
      <div class="panel parameters">
        {shown.map(({ name }) => (
          <ParameterForm key={name} name={name} />
        ))}
      </div>
    </div>
  );
}
