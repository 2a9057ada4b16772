import type { LiveState } from './live-state.js';
import { angleText, signedMetres } from './texts.js';

/** What is under the pointer: the beam, or else the place. */
export function ReadOut({ state }: { state: LiveState }) {
  void state.seconds.value;
  const pointer = state.plan.pointer.value;
  if (pointer === undefined) return null;
  const near = state.beamNear(pointer);
  const sight = near === undefined ? undefined : state.inSight(near);
  const echo = sight?.reading.echoes.find((one) => one.echo === near?.echo);
  if (sight === undefined || echo === undefined) {
    return (
      <p class="read-out">
        x {signedMetres(pointer.x, 2)}
        <span class="unit">m</span> y {signedMetres(pointer.y, 2)}
        <span class="unit">m</span>
      </p>
    );
  }
  const { azimuth, echoes } = sight.reading;
  return (
    <p class="read-out">
      <strong>
        {angleText(azimuth)}
        <span class="unit">°</span>
      </strong>{' '}
      <strong>
        {echo.distance.toFixed(3)}
        <span class="unit">m</span>
      </strong>{' '}
      {echo.rssi !== undefined && `RSSI ${echo.rssi} `}
      <span class="soft">
        echo {echo.echo} of {echoes.length}
      </span>
      {echo.isReflector && ' · reflector'}
      {echo.isBlooming && ' · blooming'}
    </p>
  );
}
