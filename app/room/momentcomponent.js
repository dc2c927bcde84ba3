// Tells the stage of this page where the presenter is. A small component of its own: the recording is sent once, and then only this.

/** @import { MomentComponent } from "../player/types" */

import { NEWS } from "../player/together.js";

/** @param {MomentComponent} component */
function mountMoment({ data }) {
  if (!data) return;
  if (window.specvizMoment?.version === data.version) return;
  const detail = { ...data, at: performance.now() };
  window.specvizMoment = detail;
  window.dispatchEvent(new CustomEvent(NEWS, { detail }));
}

export default mountMoment;
