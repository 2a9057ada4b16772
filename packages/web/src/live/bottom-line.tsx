import { colourNumber } from './colours.js';
import type { LiveState } from './live-state.js';

/** Figures of the scans that come: how many, how large, what was lost. */
export function BottomLine({ state }: { state: LiveState }) {
  void state.seconds.value;
  const shownAt = state.shownAt.value;
  const isByScanner = state.colouring.value === 'scanner';
  return (
    <div class="bottom-line">
      {state.sources.map((source, index) => {
        const { link, feed } = source;
        const scan = source.scanAt(shownAt);
        // Those of several that send nothing have one line together.
        if (state.sources.length > 1 && feed.rate(performance.now()) === 0) return null;
        const { telegrams, late } = feed.losses;
        return (
          <p key={link.url}>
            {state.sources.length > 1 && (
              <strong class={isByScanner ? `scanner-colour scanner-colour-${colourNumber(index)}` : ''}>
                {link.title.value}
              </strong>
            )}
            <span>
              {feed.rate(performance.now()).toFixed(1)}
              <span class="unit">Hz</span>
            </span>
            <span>
              {scan?.echoes ?? 0}
              <span class="unit">points</span>
            </span>
            <span class="beams">
              {scan?.beams ?? 0}
              <span class="unit">beams</span>
            </span>
            <span class="frame">
              <span class="soft">frame</span> {scan?.number ?? '–'}
            </span>
            <span class={telegrams > 0 ? 'lossy' : ''}>
              {telegrams}
              <span class="unit">telegrams lost</span>
            </span>
            {late > 0 && (
              <span>
                {late}
                <span class="unit">scans left out here: this computer is too slow</span>
              </span>
            )}
          </p>
        );
      })}
    </div>
  );
}
