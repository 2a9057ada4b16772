import { allParameters } from '@azimuth/model';
import { scanner } from '../connection/current.js';

/** All parameters, group by group. */
export default function Parameters() {
  const link = scanner();
  const edition = link.edition.value;
  const shown = allParameters.filter((variable) => edition !== undefined && variable.isIn(edition));
  return (
    <div class="content">
      <h1>Parameters</h1>
      <dl class="facts">
        {shown.map(({ name }) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>
              <code>{JSON.stringify(link.value(name))}</code>
            </dd>
          </>
        ))}
      </dl>
    </div>
  );
}
