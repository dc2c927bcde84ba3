// What a browser keeps for its visitor between visits. One that keeps nothing forgets it with the page.

/** @param {string} name */
export function remembered(name) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // it is forgotten
  }
}
