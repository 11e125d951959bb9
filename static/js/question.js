// The question page: drafts that survive, the echo of a number, sliders, the browser's time zone.
"use strict";

const SAVE_AFTER_MS = 500;
const ECHO_AFTER_MS = 150;
const RETRY_AFTER_MS = 4000;

// What is typed goes to the server a moment after the last key, and stays in this browser until the server
// has said that it has it. Each entry is {text, revision}; revision is the server's that it was typed over.
class Draft {
  constructor(field) {
    this.field = field;
    this.form = field.form;
    this.part = field.dataset.draft;
    this.revision = Number(field.dataset.revision);
    this.key = `ridgeway-draft ${this.form.dataset.draftUrl} ${this.form.dataset.seed} ${this.part}`;
    this.timer = 0;
    this.offering = false;
    this.restore();
    field.addEventListener("input", () => this.changed());
  }

  restore() {
    const kept = this.kept();
    if (!kept) return;
    if (kept.text === this.field.value) this.forget();
    else if (kept.revision >= this.revision) {
      this.field.value = kept.text;
      this.field.dispatchEvent(new Event("ridgeway:restored"));
      this.schedule(0);
    } else this.offer(kept.text, "This was changed elsewhere; this browser kept another text of yours. ", "Use that");
  }

  // A text that the field would lose can be had, and then the one that it replaces.
  offer(text, why, label) {
    this.offering = true;
    const button = document.createElement("button");
    button.type = "button";
    button.className = "link";
    button.textContent = label;
    button.addEventListener("click", () => {
      const replaced = this.field.value;
      this.field.value = text;
      this.field.focus();
      this.changed();
      this.offer(replaced, "That text is now in the field. ", "Undo");
    });
    this.say(why, true);
    this.state()?.append(button);
  }

  changed() {
    this.keep();
    this.schedule(SAVE_AFTER_MS);
  }

  schedule(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  async save() {
    if (!this.field.isConnected) return;
    const text = this.field.value;
    const body = JSON.stringify({ seed: this.form.dataset.seed, part: this.part, text, revision: this.revision });
    let response;
    try {
      const headers = { "Content-Type": "application/json", Accept: "application/json" };
      response = await fetch(this.form.dataset.draftUrl, { method: "PUT", headers, body });
    } catch {
      response = null;
    }
    if (response && response.ok) {
      const saved = await response.json();
      this.revision = saved.revision;
      this.field.dataset.revision = saved.revision;
      if (this.field.value === text) {
        this.forget();
        if (!this.offering) this.say("Saved", false);
      } else this.keep();
      if (saved.other) this.offer(saved.other, "Another window had saved another text meanwhile. ", "Use that");
      foundAgain();
    } else if (response && response.status < 500) {
      this.say("This cannot be saved on the server; it is kept in this browser.", true);
    } else {
      this.say("Kept in this browser; it will be saved when the server is back.", true);
      this.schedule(RETRY_AFTER_MS);
    }
  }

  // Private windows and full disks refuse storage: then the server alone has the draft.
  kept() {
    try {
      return JSON.parse(localStorage.getItem(this.key));
    } catch {
      return null;
    }
  }

  keep() {
    try {
      localStorage.setItem(this.key, JSON.stringify({ text: this.field.value, revision: this.revision }));
    } catch {
      this.say("This browser keeps nothing; what you type is saved on the server only.", true);
    }
  }

  forget() {
    try {
      localStorage.removeItem(this.key);
    } catch {
      // Nothing was kept.
    }
  }

  state() {
    return this.form.querySelector(".draft-state");
  }

  say(text, unsaved) {
    const state = this.state();
    if (!state) return;
    state.textContent = text;
    state.classList.toggle("unsaved", unsaved);
  }
}

// How the server reads a number that is being typed: the code that will grade it.
function echoReading(field) {
  const output = document.getElementById(field.dataset.reading);
  let timer = 0;
  let request = null;

  async function ask() {
    request?.abort();
    const text = field.value.trim();
    if (!text) {
      output.replaceChildren();
      return;
    }
    request = new AbortController();
    const query = new URLSearchParams({ text, family: field.dataset.family });
    if (field.dataset.unit) query.set("unit", field.dataset.unit);
    try {
      const response = await fetch(`/api/v1/quantities?${query}`, { signal: request.signal });
      const answer = await response.json();
      if (response.ok) {
        const reading = document.createElement("span");
        reading.className = "mono";
        reading.textContent = answer.reading;
        output.replaceChildren("read as ", reading);
      } else output.textContent = answer.errors?.[0]?.message ?? answer.detail ?? "";
    } catch (error) {
      if (error.name !== "AbortError") output.replaceChildren();
    }
  }

  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(ask, ECHO_AFTER_MS);
  };
  field.addEventListener("input", soon);
  field.addEventListener("ridgeway:restored", soon);
  if (field.value) ask();
}

// A slider under a number of the panel: it moves along the values that the server lists, and types them in.
function addSlider(field) {
  const values = field.dataset.slider.split("|");
  const slider = document.createElement("input");
  slider.type = "range";
  slider.className = "slider";
  slider.min = 0;
  slider.max = values.length - 1;
  slider.step = 1;
  slider.id = `${field.id}-slider`;
  slider.setAttribute("aria-label", `${field.dataset.label}, slider`);

  // To the stop that is typed, or between plain numbers to the nearest one; a unit that is typed moves nothing.
  const follow = () => {
    const size = Number(field.value.replaceAll(",", ""));
    const distance = (value) => Math.abs(Math.log(Number(value.replaceAll(",", "")) / size));
    let nearest = values.indexOf(field.value.trim());
    if (nearest < 0 && size > 0) {
      values.forEach((value, index) => {
        if (nearest < 0 || distance(value) < distance(values[nearest])) nearest = index;
      });
    }
    if (nearest >= 0) slider.value = nearest;
    slider.setAttribute("aria-valuetext", field.value);
  };
  // The slider's own events go on to the form, which sends the field's value: it has no name of its own.
  slider.addEventListener("input", () => {
    field.value = values[slider.value];
    slider.setAttribute("aria-valuetext", field.value);
  });
  field.addEventListener("input", follow);
  follow();
  field.closest(".field").append(slider);
}

// An element may be set up by several of these, each once: a number's field is echoed and drafted.
function once(setUp) {
  const done = new WeakSet();
  return (element) => {
    if (done.has(element)) return;
    done.add(element);
    setUp(element);
  };
}

const SET_UPS = [
  ["[data-reading]", once(echoReading)], // listens before a draft is restored
  ["[data-draft]", once((field) => new Draft(field))],
  ["[data-slider]", once(addSlider)],
  ["input[name=zone]", once((field) => { field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? ""; })],
];

function setUpPage() {
  for (const [selector, setUp] of SET_UPS) document.querySelectorAll(selector).forEach(setUp);
}

document.addEventListener("DOMContentLoaded", setUpPage);
// What a reader has unfolded stays unfolded when its inside is renewed.
const unfolded = new Set();
document.addEventListener("toggle", (event) => {
  if (!event.target.id || !event.target.isConnected) return;
  if (event.target.open) unfolded.add(event.target.id);
  else unfolded.delete(event.target.id);
}, true);

document.addEventListener("htmx:afterSettle", () => {
  setUpPage();
  for (const id of unfolded) document.getElementById(id)?.setAttribute("open", "");
  // What an act leads to (the model answer, the field at fault) takes the focus from where it was.
  const next = document.querySelectorAll("[data-take-focus]");
  for (const element of next) element.removeAttribute("data-take-focus");
  next[0]?.focus();
});

// Ctrl+Enter or ⌘+Enter in a text of several lines does what Enter does in a line.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("textarea")) return;
  event.preventDefault();
  event.target.form.querySelector("button")?.click();
});
