// Chances, points and votes in signs and numbers. A sign goes with every colour, so that none is needed.

/** A chance as it is written: "61 %"; what is only nearly certain is not called certain. */
export function percent(chance) {
  const shown = Math.round(100 * chance);
  const certain = chance <= 0 || chance >= 1;
  return `${certain ? shown : Math.min(Math.max(shown, 1), 99)} %`;
}

/** A value with its sign: "+0.25". */
export function signed(value) {
  return `${sign(value, 0.005)}${Math.abs(value).toFixed(2)}`;
}

/** A text of the server, with "−" before negative numbers, as the page writes them. */
export function withMinus(text) {
  return text.replace(/(^|[\s(])-(?=\d)/g, "$1−");
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
