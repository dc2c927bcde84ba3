// What a browser keeps for its visitor between visits. One that keeps nothing forgets it with the page.

export function remembered(name: string) {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

export function remember(name: string, value: string) {
  try {
    localStorage.setItem(name, value);
  } catch {
    // it is forgotten
  }
}
