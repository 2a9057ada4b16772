import { scanner } from '../connection/current.js';
import { DevicePicture } from './device-picture.js';
import { Identity, Measuring, Operation } from './facts.js';
import { PortsBrief } from './ports-brief.js';
import { StepList } from './step-list.js';
import { Temperature } from './temperature.js';
import '../style/overview.css';

/** What the scanner is, how it is, and what to do next. */
export function Overview() {
  return (
    <div class="content">
      <header class="overview-head">
        <h1>{scanner().title.value}</h1>
        <p class="soft">How the scanner is now, and what needs you.</p>
      </header>
      <StepList />
      <div class="overview-grid">
        <DevicePicture />
        <Temperature />
        <PortsBrief />
        <Measuring />
        <Operation />
        <Identity />
      </div>
    </div>
  );
}
