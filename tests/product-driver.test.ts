// The example runs as it is. Its figure is in docs/in-process.md.
import '../examples/product-driver/hall-driver.test.js';
