// Tells the presenter's stage on this page on which round the room votes.

/** @import { MomentComponent } from "../shared/types" */

import { NEWS } from "./presenter_moment.js";

/** @param {MomentComponent} component */
function mountMoment({ data }) {
  if (!data) return;
  const { vote } = data;
  const other = JSON.stringify(window.specvizVote ?? null) !== JSON.stringify(vote);
  window.specvizVote = vote;
  if (other) window.dispatchEvent(new CustomEvent(NEWS));
  return () => {
    window.specvizVote = null;
  };
}

export default mountMoment;
