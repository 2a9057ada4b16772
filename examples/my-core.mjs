// azimuth serve --core my-core.mjs: a wall all around, which comes nearer and goes away again.
export default ({ RevolutionTimer, Scan }) => {
  let timer;
  return {
    // Switch the laser on, and pass every revolution from now on.
    start(order, measured) {
      const scan = new Scan(order.geometry);
      timer = new RevolutionTimer(order, (number, time) => {
        scan.number = number;
        scan.time = time;
        for (let beam = 0; beam < order.geometry.beams; beam += 1) {
          scan.distance[3 * beam] = 3000 + 1000 * Math.sin(time / 1_000_000);
          scan.rssi[3 * beam] = 20_000;
        }
        measured(scan);
      });
    },
    // Switch the laser off.
    stop() {
      timer?.end();
    },
  };
};
