// Values from -1 to 1 in words and signs. A sign goes with every colour, so that none is needed.

const STEPS = [
  [0.08, "even"],
  [0.3, "a little better"],
  [0.6, "better"],
  [0.9, "much better"],
  [Infinity, "winning"],
];

/** Who stands how: "even", "black is a little better". */
export function standing(value, colour, other) {
  const word = STEPS.find(([limit]) => Math.abs(value) < limit)[1];
  if (word === "even") return "even";
  return `${value > 0 ? colour : other} is ${word}`;
}

/** A value with its sign: "+0.25". */
export function signed(value) {
  return `${sign(value, 0.005)}${Math.abs(value).toFixed(2)}`;
}

/** "+" or "−"; nothing for what rounds to zero. */
export function sign(value, least = 0) {
  if (value === 0 || Math.abs(value) < least) return "";
  return value < 0 ? "−" : "+";
}

/** Votes with their sign and thousands: "+1,204". */
export function signedVotes(votes) {
  const size = Math.abs(votes).toLocaleString("en-GB", { maximumFractionDigits: 3 });
  return `${sign(votes)}${size}`;
}

/** "for", "against" or "even", for a class name. */
export function side(value, least = 0) {
  return { "+": "for", "−": "against", "": "even" }[sign(value, least)];
}

/** A word with its first letter large. */
export function large(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A number with commas: "1,204". */
export function thousands(number) {
  return number.toLocaleString("en-GB");
}

/** "1 move", "2 moves". */
export function counted(number, word) {
  return `${thousands(number)} ${word}${number === 1 ? "" : "s"}`;
}

/** A day: "1 Mar 2026". */
export function day(when) {
  return when.toLocaleDateString("en-GB", { day: "numeric", month: "short", year: "numeric" });
}
