import { Recording3d } from '../recording-3d/recording-3d.js';

/** 3D recordings: start, stop, look, download. */
export default function RecordingPage() {
  return <Recording3d />;
}
