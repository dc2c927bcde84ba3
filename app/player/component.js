// The player as a component of the page.

import { mount } from "./mount.js";

export default mount;
