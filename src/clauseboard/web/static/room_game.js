// Which game the machine room is about: a list, and its settings; the browser remembers it.

import { el, replace } from "./dom.js";
import { list, setting, settingsOf } from "./fields.js";
import { recall, remember } from "./memory.js";

/** The choice of a game; `query` is what the server is asked with, `changed` is called after it. */
export class GameChoice {
  constructor(about, changed) {
    this.about = about;
    this.changed = changed;
    const last = recall("room") ?? recall("start") ?? {};
    this.game = about.games.find(({ name }) => name === last.game) ?? about.games[0];
    this.chosen = last.settings ?? {};
    this.element = el("div", { class: "settings room-game" });
    this.#draw();
  }

  get settings() {
    return settingsOf(this.game, this.chosen[this.game.name]);
  }

  get query() {
    return { game: this.game.name, ...this.settings };
  }

  #draw() {
    const now = this.settings;
    const games = this.about.games.map((game) => ({ value: game, title: game.title }));
    replace(
      this.element,
      list("Game", games, this.game, (game) => {
        this.game = game;
        this.#draw();
        this.#told();
      }),
      this.game.settings.map((each) =>
        setting(each, now[each.name], (value) => {
          this.chosen[this.game.name] = { ...this.settings, [each.name]: value };
          this.#told();
        }),
      ),
    );
  }

  #told() {
    const settings = { ...this.chosen, [this.game.name]: this.settings };
    remember("room", { game: this.game.name, settings });
    this.changed();
  }
}
