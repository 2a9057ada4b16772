// azimuth serve --core segment-core.mjs: a wall all around, of which each segment leaves when it is measured.
export default ({ Scan }) => {
  let cancel;
  return {
    // Switch the laser on, and pass every segment from now on.
    start(order, measured) {
      const { geometry, origin, clock, now } = order;
      const { beams, beamsPerSegment, frequency, step } = geometry;
      const period = 1_000_000 / frequency;
      const scan = new Scan(geometry);

      // A timer replaces the sensor: your driver calls you when it has the next beams.
      const wait = (number, time, first) => {
        const end = Math.min(first + beamsPerSegment, beams);
        const measuredAt = time + ((end - 1) * step * period) / 360;
        cancel = clock.after(Math.max(0, (measuredAt - now()) / 1000), () => {
          if (end < beams) wait(number, time, end);
          else wait(number + 1, time + period, 0);
          scan.number = number;
          scan.time = time;
          for (let beam = first; beam < end; beam += 1) {
            scan.distance[3 * beam] = 3000;
            scan.rssi[3 * beam] = 20_000;
          }
          measured(scan, end);
        });
      };
      const revolutions = Math.ceil((now() - origin.time) / period);
      wait(origin.number + revolutions, origin.time + revolutions * period, 0);
    },
    // Switch the laser off.
    stop() {
      cancel?.();
    },
  };
};
