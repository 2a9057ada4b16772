import { ClientError, type Frame } from '@azimuth/client';
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { ScannerLink } from '../connection/scanner-link.js';
import { FloorPlan } from './floor-plan.js';
import { gridLayer } from './grid-layer.js';
import type { Layer } from './layer.js';
import { Plan } from './plan.js';

/** The latest scan, in metres about the scanner. */
export function LiveView({ link }: { link: ScannerLink }) {
  const latest = useSignal<Frame | undefined>(undefined);
  const plan = useMemo(() => new Plan(), []);
  const layers = useMemo(() => [gridLayer, scanLayer(latest)], [latest]);
  useEffect(() => {
    const stop = new AbortController();
    void (async () => {
      try {
        for await (const frame of link.scanner.scans({ signal: stop.signal })) latest.value = frame;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
      }
    })();
    return () => stop.abort();
  }, [link, latest]);
  return <FloorPlan plan={plan} layers={layers} label="The latest scan" />;
}

function scanLayer(latest: ReadonlySignal<Frame | undefined>): Layer {
  return {
    name: 'scan',
    draw({ context, viewport: { x, y, scale, width, height }, colours }) {
      const frame = latest.value;
      if (frame === undefined) return;
      const { azimuth, distance, beams, echoes } = frame;
      context.fillStyle = colours.accent;
      for (let beam = 0; beam < beams; beam++) {
        const angle = azimuth[beam] ?? 0;
        for (let echo = 0; echo < echoes; echo++) {
          const range = (distance[beam * echoes + echo] ?? 0) / 1000;
          if (range === 0) continue;
          const left = width / 2 - (range * Math.sin(angle) - y) * scale;
          const top = height / 2 - (range * Math.cos(angle) - x) * scale;
          context.fillRect(left - 1, top - 1, 2, 2);
        }
      }
    },
  };
}
