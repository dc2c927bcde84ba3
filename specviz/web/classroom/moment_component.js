// Tells the stage of this page where the presenter is, and on which round the room votes. A small component of its own: the recording is
// sent once, and then only this.

/** @import { MomentComponent } from "../shared/types" */

import { NEWS } from "./presenter_moment.js";

/** @param {MomentComponent} component */
function mountMoment({ data }) {
  if (!data) return;
  const { vote, moment } = data;
  const other = JSON.stringify(window.specvizVote ?? null) !== JSON.stringify(vote);
  const moved = moment !== null && window.specvizMoment?.version !== moment.version;
  window.specvizVote = vote;
  if (moved) window.specvizMoment = { ...moment, at: performance.now() };
  if (other || moved) window.dispatchEvent(new CustomEvent(NEWS));
  return () => {
    window.specvizVote = null;
  };
}

export default mountMoment;
