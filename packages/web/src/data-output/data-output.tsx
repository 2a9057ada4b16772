import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { scanner } from '../connection/current.js';
import { ofEachScanner } from '../connection/scanner-link.js';
import { AimDialog } from '../live/data-route-panel.js';
import { LiveState } from '../live/live-state.js';
import { marksLayer } from '../live/marks-layer.js';
import { NoScan } from '../live/no-scan.js';
import { ScanLayer } from '../live/scan-layer.js';
import { FloorPlan, ZoomButtons } from '../plan/floor-plan.js';
import { gridLayer } from '../plan/grid-layer.js';
import type { PlanBounds } from '../plan/plan.js';
import { DraftBar } from './draft-bar.js';
import { FilterPanels } from './filter-panels.js';
import { FormatPanel } from './format-panel.js';
import { OutputDraft } from './output-draft.js';
import { boundsWith, hasRegion, keptOutlines, regionsIn } from './regions.js';
import { RegionsOverlay } from './regions-overlay.js';
import { SeenLine } from './seen-line.js';
import { StreamsPanel } from './streams-panel.js';
import '../style/data-output.css';
import '../style/field-areas.css';
import '../style/fields.css';
import '../style/forms.css';

/** The draft of a scanner. Edits stay when another page is shown. */
const draftOf = ofEachScanner((link) => new OutputDraft(link));

export default function DataOutput() {
  const link = scanner();
  const draft = draftOf(link);
  const scans = useMemo(() => {
    const state = new LiveState([link]);
    // The area that the scanner sees into would look like one more region.
    state.showsSeen.value = false;
    return state;
  }, [link]);
  const layers = useMemo(() => [gridLayer, new ScanLayer(scans), marksLayer(scans)], [scans]);
  useEffect(() => {
    scans.open();
    return () => scans.close();
  }, [scans]);
  const showAll = () => {
    const bounds = boundsOf(draft, scans);
    if (bounds !== undefined) scans.plan.fit(bounds);
  };
  useRegionsInSight(draft, scans, showAll);
  return (
    <div class="data-output">
      <header class="plan-head">
        <div>
          <h1>Data output</h1>
          <p class="soft small hidden-on-phone">
            What the scanner sends, and where to. Nothing that you change reaches it before you apply it.
          </p>
        </div>
        <SeenLine state={scans} />
      </header>
      <div class="stage">
        <FloorPlan
          plan={scans.plan}
          layers={layers}
          label="Floor plan with what the scanner sends now, and the regions of its filters. Arrows move it, plus and minus zoom."
        >
          <RegionsOverlay draft={draft} link={link} plan={scans.plan} />
        </FloorPlan>
        <ZoomButtons zoom={(factor) => scans.plan.zoom(factor)} fit={showAll} />
        <NoScan state={scans} />
      </div>
      <aside class="inspector" aria-label="Settings of the data output">
        <DraftBar draft={draft} />
        <StreamsPanel draft={draft} />
        <FormatPanel draft={draft} />
        <FilterPanels draft={draft} />
      </aside>
      <AimDialog state={scans} />
    </div>
  );
}

/** Rectangle around what the scanner sends, and around the regions of its filters as far as they are near. */
function boundsOf(draft: OutputDraft, scans: LiveState): PlanBounds | undefined {
  const regions = regionsIn((variable) => draft.valueOf(variable));
  return boundsWith(hasRegion(regions) ? keptOutlines(regions) : [], scans.bounds);
}

/** Shows the regions, too, when the first scan comes; without scans, after a second. */
function useRegionsInSight(draft: OutputDraft, scans: LiveState, showAll: () => void): void {
  const isFitted = useRef(false);
  useSignalEffect(() => {
    const isSeen = scans.scans.value > 0 && scans.sources[0]?.history.newest !== undefined;
    if (isFitted.current || (!isSeen && scans.seconds.value < 4) || scans.plan.viewport.value.width === 0)
      return;
    if (!hasRegion(regionsIn((variable) => draft.valueOf(variable)))) return;
    isFitted.current = true;
    showAll();
  });
}
