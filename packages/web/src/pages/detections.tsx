import { Detections } from '../detections/detections.js';

/** The detection history of the scanner. */
export default function DetectionsPage() {
  return <Detections />;
}
