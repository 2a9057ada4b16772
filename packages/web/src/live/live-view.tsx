import { ClientError, type Frame } from '@azimuth/client';
import { useEffect, useRef } from 'preact/hooks';
import type { ScannerLink } from '../connection/scanner-link.js';

/** The latest scan, in metres about the scanner. */
export function LiveView({ link }: { link: ScannerLink }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const stop = new AbortController();
    let latest: Frame | undefined;
    let request = 0;
    const draw = () => {
      request = requestAnimationFrame(draw);
      const context = canvas.current?.getContext('2d');
      if (!context || latest === undefined) return;
      drawFrame(context, latest);
      latest = undefined;
    };
    draw();
    void (async () => {
      try {
        for await (const frame of link.scanner.scans({ signal: stop.signal })) latest = frame;
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
      }
    })();
    return () => {
      stop.abort();
      cancelAnimationFrame(request);
    };
  }, [link]);
  return <canvas class="live" ref={canvas} width="900" height="700" aria-label="The latest scan" />;
}

function drawFrame(context: CanvasRenderingContext2D, { azimuth, distance, beams, echoes }: Frame): void {
  const { width, height } = context.canvas;
  context.clearRect(0, 0, width, height);
  context.fillStyle = getComputedStyle(context.canvas).color;
  for (let beam = 0; beam < beams; beam++) {
    const angle = azimuth[beam] ?? 0;
    for (let echo = 0; echo < echoes; echo++) {
      const range = distance[beam * echoes + echo] ?? 0;
      if (range === 0) continue;
      context.fillRect(
        width / 2 - (range * Math.sin(angle)) / 50 - 1,
        height / 2 - (range * Math.cos(angle)) / 50 - 1,
        2,
        2,
      );
    }
  }
}
