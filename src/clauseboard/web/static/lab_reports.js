// Tournaments and reports that lie in the server's folder. A report is shown in a frame of its own,
// in which no script runs.

import { get } from "./api.js";
import { el, replace } from "./dom.js";
import { counted, day } from "./values.js";

/** Show what is there in `root`. */
export async function show(root) {
  const [tournaments, reports] = await Promise.all([get("tournaments"), get("reports")]);
  const view = el("section", { class: "lab-main shelf-view", "aria-label": "What is shown" });
  const side = el(
    "section",
    { class: "card lab-side shelf", "aria-label": "What there is" },
    shelf("Tournaments", tournaments, (one) => showTournament(view, one)),
    shelf("Reports", reports, (one) => showReport(view, one)),
  );
  const nothing = el("p", {
    class: "soft",
    text:
      "Start the program with --folder FOLDER, and what is in there is listed here: games of " +
      "tournaments (*.sqlite), and reports (*.html, *.md).",
  });
  const some = tournaments.length + reports.length > 0;
  replace(view, some ? el("p", { class: "soft", text: "Choose what to look at." }) : nothing);
  replace(root, some ? el("div", { class: "gallery" }, side, view) : view);
}

function shelf(title, entries, open) {
  if (!entries.length) return null;
  const choose = async (event, one) => {
    const before = event.currentTarget.closest(".shelf").querySelector("[aria-current]");
    before?.removeAttribute("aria-current");
    event.currentTarget.setAttribute("aria-current", "true");
    await open(one);
  };
  return el(
    "div",
    { class: "shelf-part" },
    el("h2", { text: title }),
    el(
      "ul",
      {},
      entries.map((one) =>
        el(
          "li",
          {},
          el(
            "button",
            { class: "shelf-entry", type: "button", onclick: (event) => choose(event, one) },
            el("span", { text: one.title }),
            el("span", { class: "small soft", text: day(new Date(one.changed * 1000)) }),
          ),
        ),
      ),
    ),
  );
}

function showReport(view, { id, title }) {
  // No word after "sandbox" is a permission: no scripts, no forms, no address of ours.
  replace(view, el("iframe", { class: "report", sandbox: "", title, src: `/api/reports/${id}` }));
}

async function showTournament(view, { id }) {
  replace(view, el("p", { class: "soft", role: "status", text: "Counting the games…" }));
  try {
    const { title, games, parts } = await get(`tournaments/${id}`);
    replace(
      view,
      el("h2", { text: title }),
      el("p", { class: "soft", text: `${counted(games, "game")} in this file.` }),
      parts.map((part) => [
        el("h3", { text: part.title }),
        part.tables.map(table),
        el(
          "ul",
          { class: "small soft shelf-notes" },
          part.notes.map((text) => el("li", { text })),
        ),
      ]),
    );
  } catch (error) {
    replace(view, el("p", { class: "wrong", role: "alert", text: error.message }));
  }
}

function table({ title, heads, rows }) {
  return el(
    "div",
    { class: "table-box", tabindex: 0, role: "group", "aria-label": title },
    el(
      "table",
      {},
      el("caption", { text: title }),
      el("thead", {}, el("tr", {}, heads.map((text) => el("th", { scope: "col", text })))),
      el(
        "tbody",
        {},
        rows.map(([first, ...rest]) =>
          el(
            "tr",
            {},
            el("th", { scope: "row", text: first }),
            rest.map((text) => el("td", { text })),
          ),
        ),
      ),
    ),
  );
}
