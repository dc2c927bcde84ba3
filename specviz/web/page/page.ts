// In the head of the page's HTML, before everything else: what the styles need of the address, presses and a focus that are not lost, and a way back.

import { followAddress } from "./address_marks.ts";
import { oneEntryForAPress } from "./history_entries.ts";
import { holdPresses } from "./hold_press.ts";
import { returnFocus } from "./return_focus.ts";

oneEntryForAPress();
followAddress();
holdPresses();
returnFocus();
