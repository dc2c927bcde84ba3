// In the head of the page's HTML, before everything else: what the styles need of the address, and presses that are not lost.

import { followAddress } from "./address_marks.ts";
import { holdPresses } from "./hold_press.ts";

followAddress();
holdPresses();
