// Tells the presenter's stage on this page on which round the room votes.

import type { VoteNow } from "../shared/json_types.ts";
import type { ComponentOf } from "../shared/run_types.ts";
import { NEWS } from "./lead_room.ts";

function mountMoment({ data }: ComponentOf<{ vote: VoteNow | null }>) {
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
