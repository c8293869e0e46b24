// Requests to the server. A change is a POST or DELETE with a header that other sites cannot send.

/** An error that the server answered, with its sentence. */
export class ApiError extends Error {
  constructor(status, sentence) {
    super(sentence);
    this.status = status;
  }
}

/** Read something: `get("board", {game: "hex", size: 6})`. */
export function get(path, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
  const asked = new URLSearchParams(given).toString();
  return answer(`/api/${path}${asked && `?${asked}`}`, {});
}

/** Change something. */
export function post(path, body = {}) {
  return answer(`/api/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Clauseboard": "1" },
    body: JSON.stringify(body),
  });
}

/** Delete something. */
export function remove(path) {
  return answer(`/api/${path}`, { method: "DELETE", headers: { "X-Clauseboard": "1" } });
}

async function answer(address, request) {
  let response;
  try {
    response = await fetch(address, request);
  } catch {
    throw new ApiError(0, "The program does not answer. Is it still running?");
  }
  const text = await response.text();
  if (!response.ok) throw new ApiError(response.status, sentence(response, text));
  const kind = response.headers.get("Content-Type") ?? "";
  return kind.includes("json") && text ? JSON.parse(text) : text;
}

function sentence(response, text) {
  try {
    const { detail } = JSON.parse(text);
    if (typeof detail === "string") return detail;
    if (Array.isArray(detail)) return detail.map((each) => each.msg).join(" ");
  } catch {
    // Not JSON: the status has to do.
  }
  return `The program answered ${response.status} ${response.statusText}.`;
}

/**
 * Tells the answer to the latest question from answers that a later question has overtaken.
 *
 * `const isLatest = questions.ask();` before a request; after it, `if (!isLatest()) return;`.
 */
export class LatestQuestion {
  #count = 0;

  ask() {
    this.#count += 1;
    const mine = this.#count;
    return () => mine === this.#count;
  }
}

/**
 * Follow a game or a training: `handlers` has a function for each kind of event, and optionally
 * `connected(is)` and `gone()`; returns a function that stops it.
 *
 * A hidden page does not listen: a browser has only six connections to a server, and the first
 * event on coming back is the state.
 */
export function listen(path, handlers) {
  let source = null;
  const look = () => {
    source?.close();
    source = document.hidden ? null : open(path, handlers);
  };
  document.addEventListener("visibilitychange", look);
  look();
  return () => {
    document.removeEventListener("visibilitychange", look);
    source?.close();
  };
}

function open(path, { connected, gone, ...handlers }) {
  const source = new EventSource(`/api/${path}/events`);
  for (const [kind, act] of Object.entries(handlers)) {
    source.addEventListener(kind, ({ data }) => act(JSON.parse(data)));
  }
  source.addEventListener("open", () => connected?.(true));
  // The browser connects again by itself.
  source.addEventListener("error", () => connected?.(false));
  source.addEventListener("gone", () => {
    source.close();
    gone?.();
  });
  return source;
}
