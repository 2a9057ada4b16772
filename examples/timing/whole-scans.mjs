// azimuth serve --core whole-scans.mjs: a core that waits for 360°. It passes each revolution when it is over, so all of
// its segments leave at once.
export default ({ RevolutionTimer, Scan }) => {
  let timer;
  return {
    start(order, measured) {
      const period = 1_000_000 / order.geometry.frequency;
      const scan = new Scan(order.geometry);
      scan.distance.fill(3000);
      // At the beginning of a revolution, the one before is over.
      timer = new RevolutionTimer(order, (number, time) => {
        scan.number = number - 1;
        scan.time = time - period;
        if (scan.time >= 0) measured(scan);
      });
    },
    stop() {
      timer?.end();
    },
  };
};
