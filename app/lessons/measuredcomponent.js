// Tells the Learn screen what is measured and what was. It shows nothing itself.

/** @import { MeasuredComponent } from "./types" */
/** @import { Told } from "./measuredlink.js" */

import { answerWith } from "./measuredlink.js";

/** @type {Told | null} */
let latest = null;
const tell = answerWith(() => latest);

/** @param {MeasuredComponent} component */
function mountMeasured({ data }) {
  latest = data && { ...data, told: performance.now() };
  tell();
}

export default mountMeasured;
