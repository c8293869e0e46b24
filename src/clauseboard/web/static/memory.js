// Small choices that the browser keeps: theme, mode, the last game asked for.

/** What was remembered, or undefined; a browser that keeps nothing is no reason to fail. */
export function recall(key) {
  try {
    const text = localStorage.getItem(`clauseboard.${key}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Remember something that JSON can write. */
export function remember(key, value) {
  try {
    localStorage.setItem(`clauseboard.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse; the choice then holds until the page is closed.
  }
}
