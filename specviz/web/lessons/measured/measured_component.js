// Reports to the Learn screen what is measured and what was. It shows nothing itself.

/** @import { MeasuredComponent } from "../types" */
/** @import { MeasuredNow } from "./measured_link.js" */

import { answerWith } from "./measured_link.js";

/** @type {MeasuredNow | null} */
let latest = null;
const report = answerWith(() => latest);

/** @param {MeasuredComponent} component */
function mountMeasured({ data }) {
  latest = data && { ...data, at: performance.now() };
  report();
}

export default mountMeasured;
