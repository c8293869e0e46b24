// Making elements: one function for HTML, one for SVG, and a reader of SVG that the server drew.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Keys that begin with "on" are listeners; null and false are left out. */
export function el(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

/** An SVG element, made the same way. */
export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else if (PROPERTIES.has(key)) element[key] = value;
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...wanted(children));
  return element;
}

/** Children in a row; null, undefined and false are left out. */
function wanted(children) {
  const absent = [null, undefined, false];
  return children.flat(Infinity).filter((child) => !absent.includes(child));
}

// What a person can change is a property: the attribute would only be its first value.
const PROPERTIES = new Set(["value", "checked", "selected", "disabled", "hidden", "open"]);

/** The shapes of a picture that the server drew, ready to be put into this page. */
export function shapes(text) {
  const whole = text.trimStart().startsWith("<svg") ? text : `<svg xmlns="${SVG}">${text}</svg>`;
  const root = new DOMParser().parseFromString(whole, "image/svg+xml").documentElement;
  for (const unwanted of root.querySelectorAll("script, foreignObject")) unwanted.remove();
  return document.importNode(root, true);
}

/** A whole picture that the server drew, with words for those who cannot see it. */
export function picture(text, label) {
  const drawn = shapes(text);
  drawn.querySelector("title")?.remove(); // it would pop up as a tooltip over its own sentence
  drawn.setAttribute("role", "img");
  drawn.setAttribute("aria-label", label);
  return drawn;
}

/** Put other children into an element; if the keyboard was there, it goes to what `then` finds. */
export function replaceKeeping(element, then, ...children) {
  const held = element.contains(document.activeElement);
  replace(element, ...children);
  if (held) element.querySelector(then)?.focus();
  return element;
}

/** Put other fields into an element; the keyboard stays on the one that it was on. */
export function replaceFields(element, ...children) {
  const fields = () => [...element.querySelectorAll("input, select")];
  const place = fields().indexOf(document.activeElement);
  const { value } = fields()[place] ?? {};
  replace(element, ...children);
  if (place < 0) return element;
  const there = fields()[place];
  [there, ...fields()].find((field) => field?.value === value)?.focus();
  return element;
}

const held = new Set(); // keys that are down
const released = []; // what waits until they are up
const keysChanged = () => {
  if (held.size) return;
  for (const go of released.splice(0)) setTimeout(go); // after what the key does
};
document.addEventListener("keydown", ({ code }) => held.add(code), true);
document.addEventListener("keyup", ({ code }) => (held.delete(code), keysChanged()), true);
window.addEventListener("blur", () => (held.clear(), keysChanged()));

/** Resolves when no key is down: a key that is pressed on one field and released on another that
 *  has taken its place does nothing. */
export function keysReleased() {
  return held.size ? new Promise((resolve) => released.push(resolve)) : Promise.resolve();
}

/** Let the fields in an element be changed, or not while what they are to be is on its way. */
export function enableFields(element, is) {
  for (const field of element.querySelectorAll("input, select")) field.disabled = !is;
}

/** Put other children into an element. */
export function replace(element, ...children) {
  element.replaceChildren(...wanted(children));
  return element;
}

/** A number that makes names for labels differ. */
let made = 0;
export function freshName(stem) {
  made += 1;
  return `${stem}-${made}`;
}

/** Whether the person asked for less movement. */
export function calm() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}
