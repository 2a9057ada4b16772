import { isObject } from '@azimuth/model';
import { scanner } from '../connection/current.js';
import { deviceState } from '../parts/device-state.js';
import { StateMark } from '../parts/state-mark.js';
import { linkTo } from '../routing/route.js';

/** What the scanner is, how it is, and what to do next. */
export default function Overview() {
  const link = scanner();
  const { severity, word, advice } = deviceState(link.value('DeviceStatus'));
  const ident = link.value('DeviceIdent');
  return (
    <div class="content">
      <h1>{link.title.value}</h1>
      <div class={`notice ${severity}`}>
        <StateMark severity={severity}>{word}</StateMark>
        <span>{advice}</span>
        <a class="button" href={linkTo('live')}>
          See what it sees
        </a>
      </div>
      <div class="panels">
        <section class="panel">
          <h3>Identity</h3>
          <dl class="facts">
            <dt>Device</dt>
            <dd>{isObject(ident) ? String(ident.Name) : ''}</dd>
            <dt>Firmware</dt>
            <dd>{isObject(ident) ? String(ident.Version) : ''}</dd>
            <dt>Serial number</dt>
            <dd>{String(link.value('SerialNumber') ?? '')}</dd>
          </dl>
        </section>
      </div>
    </div>
  );
}
