import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { scaleColour } from './colour-scale.js';
import type { LiveState } from './live-state.js';
import type { StrengthScale } from './scan-layer.js';

/** What the colours and shapes of the points mean. */
export function Legend({ state, scale }: { state: LiveState; scale: ReadonlySignal<StrengthScale> }) {
  const colouring = state.colouring.value;
  return (
    <div class="legend">
      {colouring === 'strength' && (
        <>
          <span>RSSI 0</span>
          <ScaleBar isDark={scale.value.isDark} />
          <span>≥ {scale.value.strongest}</span>
        </>
      )}
      {colouring === 'echo' && (
        <>
          <Shape kind="first" path="M2 2h6v6H2Z" text="echo 1" />
          <Shape kind="second" path="M1 1l8 8M9 1 1 9" text="echo 2" />
          <Shape kind="third" path="M5 0 10 5 5 10 0 5Z" text="echo 3" />
        </>
      )}
      <Shape kind="reflector" path="M5 1a4 4 0 1 1 0 8A4 4 0 0 1 5 1Z" text="reflector" />
    </div>
  );
}

function Shape({ kind, path, text }: { kind: string; path: string; text: string }) {
  return (
    <span class={`shape ${kind}`}>
      <svg viewBox="-1 -1 12 12" aria-hidden="true">
        <path d={path} />
      </svg>
      {text}
    </span>
  );
}

/** The scale of colours. */
export function ScaleBar({ isDark }: { isDark: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const { current } = canvas;
    const context = current?.getContext('2d');
    if (!current || !context) return;
    for (let x = 0; x < current.width; x++) {
      const [red, green, blue] = scaleColour(x / (current.width - 1), isDark);
      context.fillStyle = `rgb(${red} ${green} ${blue})`;
      context.fillRect(x, 0, 1, current.height);
    }
  }, [isDark]);
  return <canvas class="scale" ref={canvas} width="96" height="8" />;
}
