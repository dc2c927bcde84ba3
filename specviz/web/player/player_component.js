// The player as a component of the page.

import { mount } from "./mount_player.js";

export default mount;
