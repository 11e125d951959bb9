// What is typed survives: it goes to the server a moment after the last key and every few seconds while keys
// follow each other, and stays in this browser until the server has said that it has it.
//
// A form[data-draft-url] names where, and each [data-draft] in it (a text field, or a fieldset of choices) its
// part. Kept in the browser: {text, revision, writer, count, at}, under a key of this window's own, so that two
// windows do not overwrite each other here either. The server decides between two texts and sets the other aside.
// Once the server has it, it stays with its `savedAt`, for a page that was on its way by then.
//
// Each text goes out with the revision that it was typed over, this page's name and a count that grows: so a
// form may overtake the text that was sent before it, and no page is told of its own texts as another's.
"use strict";

const SAVE_AFTER_MS = 500;
const SAVE_AT_LEAST_EVERY_MS = 3000;
const RETRY_AFTER_MS = 4000;
const LEFT_BEHIND_AFTER_MS = 15000; // a window that is still open has sent its own by then
const TOLD_FOR_MS = 8000;
// Where several people sign in, one after the other in this browser, nobody is given another's text.
const ACCOUNT = document.documentElement.dataset.account;
const KEPT_PREFIX = ACCOUNT ? `ridgeway-draft-of-${ACCOUNT} ` : "ridgeway-draft ";

function freshName() {
  return Math.random().toString(36).slice(2) || "0";
}

function windowName() {
  try {
    const known = sessionStorage.getItem("ridgeway-window");
    if (known) return known;
    const fresh = freshName();
    sessionStorage.setItem("ridgeway-window", fresh);
    return fresh;
  } catch {
    return "only";
  }
}

const WINDOW = windowName();
const PAGE = `${WINDOW}.${freshName()}`; // a tab that is duplicated has the name of its window, but not this one

let lastCount = 0;
function nextCount() {
  lastCount = Math.max(lastCount + 1, Date.now());
  return lastCount;
}

// Private windows and full disks refuse storage: then the server alone has the draft.
const kept = {
  read(key) {
    try {
      return JSON.parse(localStorage.getItem(key));
    } catch {
      return null;
    }
  },
  write(key, draft) {
    try {
      localStorage.setItem(key, JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  },
  forget(key) {
    try {
      localStorage.removeItem(key);
    } catch {
      // Nothing was kept.
    }
  },
  keys() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(KEPT_PREFIX));
    } catch {
      return [];
    }
  },
};

// The server's answer, {refused: why} where it has one that says no, and null where there is none.
async function putDraft(url, body, leaving = false) {
  let response;
  try {
    const headers = { "Content-Type": "application/json", Accept: "application/json" };
    response = await fetch(url, { method: "PUT", headers, body: JSON.stringify(body), keepalive: leaving });
    const answer = await response.json();
    if (response.ok) return answer;
    return response.status < 500 ? { refused: answer.detail ?? "" } : null;
  } catch {
    return response?.status < 500 ? { refused: "" } : null;
  }
}

// What the server's text of a field was typed as, which its page says in one line.
function stampOf(field) {
  const [revision, writer = "", count = 0] = field.dataset.stamp.split(" ");
  return { revision: Number(revision), writer, count: Number(count) };
}

// Whether the server has an older text of this very window: what is kept here was typed over it.
function isOlderHere(stamp, draft) {
  return stamp.writer.startsWith(`${WINDOW}.`) && draft.writer?.startsWith(`${WINDOW}.`) && stamp.count < draft.count;
}

class Draft {
  constructor(field) {
    this.field = field;
    this.form = field.closest("form");
    this.url = this.form.dataset.draftUrl;
    this.seed = this.form.dataset.seed ?? "0";
    this.part = field.dataset.draft;
    this.revision = stampOf(field).revision;
    this.count = 0; // as long as nothing was typed
    this.key = `${KEPT_PREFIX}${WINDOW} ${this.url} ${this.seed} ${this.part}`;
    this.timer = 0;
    this.saving = false;
    this.unsavedSince = 0;
    this.lost = false;
    this.aside = document.getElementById(`${field.id}-aside`);
    this.restore();
    field.addEventListener("input", () => this.typed());
    this.aside?.querySelector("[data-use]").addEventListener("click", () => this.useOther());
    this.aside?.querySelector("[data-drop]").addEventListener("click", () => this.dropOther());
  }

  get text() {
    if (!this.field.matches("fieldset")) return this.field.value;
    return [...this.field.querySelectorAll("input:checked")].map((choice) => choice.value).join(",");
  }

  set text(text) {
    if (this.field.matches("fieldset")) {
      const chosen = text.split(",");
      for (const choice of this.field.querySelectorAll("input")) choice.checked = chosen.includes(choice.value);
    } else this.field.value = text;
    this.field.dispatchEvent(new Event("ridgeway:restored"));
  }

  restore() {
    const draft = kept.read(this.key);
    if (!draft) return;
    if (draft.text === this.text) {
      kept.forget(this.key);
    } else if (draft.savedAt) {
      if (draft.savedAt > performance.timeOrigin && draft.revision > this.revision) this.catchUp(draft);
      else kept.forget(this.key);
    } else if (draft.revision >= this.revision || isOlderHere(stampOf(this.field), draft)) {
      this.text = draft.text;
      this.typed(0);
    } else {
      sendLeftBehind(this.key); // another window went on meanwhile: the server sets one of the two aside
    }
  }

  // The page was asked for before its predecessor's last text was saved, and so shows the one before.
  catchUp(draft) {
    this.text = draft.text;
    this.revision = draft.revision;
    this.stampForm();
  }

  typed(delay) {
    this.count = nextCount();
    this.stampForm();
    this.changed(delay);
  }

  get stamp() {
    return { revision: this.revision, writer: PAGE, count: this.count };
  }

  // What a form sends beside the text; one that was not touched is of no page.
  stampForm() {
    const field = this.form.querySelector(`[data-stamp-of="${this.part}"]`);
    if (field) field.value = this.count ? `${this.revision} ${PAGE} ${this.count}` : this.revision;
  }

  changed(delay = SAVE_AFTER_MS) {
    this.unsavedSince ||= Date.now();
    this.keep();
    const longest = SAVE_AT_LEAST_EVERY_MS - (Date.now() - this.unsavedSince);
    this.schedule(Math.max(0, Math.min(delay, longest)));
  }

  keep() {
    if (!this.field.isConnected) return; // a swap has put another field in its place
    const draft = { text: this.text, ...this.stamp, at: new Date().toISOString() };
    if (!kept.write(this.key, draft)) {
      this.say("This browser keeps nothing; what you type is saved on the server only.", true);
    }
  }

  schedule(delay) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.save(), delay);
  }

  async save(leaving = false) {
    if (!this.unsavedSince || (this.saving && !leaving)) return;
    clearTimeout(this.timer);
    const body = { seed: this.seed, part: this.part, text: this.text, ...this.stamp };
    this.saving = true;
    const saved = await putDraft(this.url, body, leaving);
    this.saving = false;
    if (!saved) {
      this.lost = true;
      this.say("The server does not answer. What you type is kept in this browser and saved when it is back.", true);
      if (this.field.isConnected) this.schedule(RETRY_AFTER_MS);
    } else if ("refused" in saved) {
      this.say(`Kept in this browser only. ${saved.refused || "The server does not take it."}`, true);
    } else this.saved(saved, body.count);
  }

  saved(saved, count) {
    foundAgain();
    if (saved.kept) {
      this.revision = Math.max(this.revision, saved.revision);
      this.stampForm();
    }
    const draft = kept.read(this.key);
    if (draft?.count === count && saved.kept) {
      kept.write(this.key, { ...draft, revision: saved.revision, savedAt: Date.now() });
    } else if (!(draft?.count > count)) kept.forget(this.key);
    if (this.count === count) this.unsavedSince = 0;
    else this.changed();
    this.offer(saved.other);
    if (!this.unsavedSince) this.say(this.lost ? "The server is back, and what you typed is saved." : "Saved", false);
    if (this.lost) sendAllLeftBehind();
    this.lost = false;
  }

  offer(other) {
    if (!this.aside) return;
    const text = this.aside.querySelector("blockquote");
    if (other && (this.aside.hidden || text.textContent !== other)) {
      announce("Another window has saved another text here. It is shown below.");
    }
    text.textContent = other ?? "";
    this.aside.hidden = !other;
  }

  useOther() {
    this.text = this.aside.querySelector("blockquote").textContent;
    this.typed(0);
    (this.field.matches("fieldset") ? this.field.querySelector("input") : this.field).focus();
  }

  async dropOther() {
    this.count ||= nextCount();
    const body = { seed: this.seed, part: this.part, text: this.text, ...this.stamp, drop_other: true };
    const saved = await putDraft(this.url, body);
    if (saved && !("refused" in saved)) this.saved(saved, body.count);
    else this.say("The server does not answer: the other text is still there.", true);
  }

  say(text, unsaved) {
    const state = this.form.querySelector(".draft-state");
    if (!state) return;
    state.textContent = text;
    state.classList.toggle("unsaved", unsaved);
  }
}

// What a window that is gone, or an earlier page, could not send.
async function sendLeftBehind(key) {
  const draft = kept.read(key);
  const [, , url, seed, part] = key.split(" ");
  if (!draft || draft.refused || !url) return;
  if (draft.savedAt) {
    kept.forget(key);
    return;
  }
  const { text, revision, writer, count } = draft;
  const body = { seed, part, text, revision, writer, count, typed_at: draft.at };
  const saved = await putDraft(url, body);
  if (!saved) setTimeout(() => sendLeftBehind(key), RETRY_AFTER_MS);
  else if ("refused" in saved) kept.write(key, { ...draft, refused: true });
  else {
    if (kept.read(key)?.at === draft.at) kept.forget(key);
    for (const each of drafts) if (each.url === url && each.part === part) each.offer(saved.other);
    if (!draft.posted) tell("What you typed while the server was away is saved.");
  }
}

function tell(text) {
  const notice = document.createElement("p");
  notice.className = "notice lost";
  notice.textContent = text;
  document.body.append(notice);
  announce(text);
  setTimeout(() => notice.remove(), TOLD_FOR_MS);
}

const drafts = new Set();

function sendAllLeftBehind() {
  for (const each of drafts) if (!each.field.isConnected) drafts.delete(each);
  const here = new Set([...drafts].map((each) => each.key));
  for (const key of kept.keys()) {
    const age = Date.now() - Date.parse(kept.read(key)?.at);
    const ours = key.startsWith(`${KEPT_PREFIX}${WINDOW} `);
    if (!here.has(key) && (ours || !(age < LEFT_BEHIND_AFTER_MS))) sendLeftBehind(key);
  }
}

const drafted = new WeakSet();

function keepDrafts() {
  for (const field of document.querySelectorAll("[data-draft]")) {
    if (drafted.has(field)) continue;
    drafted.add(field);
    drafts.add(new Draft(field));
  }
}

// After the deletion of everything nothing stays in this browser either.
function forgetAll() {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      for (const key of Object.keys(storage)) if (key.startsWith("ridgeway-")) storage.removeItem(key);
    }
  } catch {
    // There is no storage.
  }
}

document.addEventListener("DOMContentLoaded", () => {
  if (document.querySelector("[data-forget-drafts]")) forgetAll();
  keepDrafts();
  sendAllLeftBehind();
});
document.addEventListener("htmx:afterSettle", keepDrafts);
// A form that is sent takes its texts along: should one still be kept here, sending it again is no news.
document.addEventListener("submit", (event) => {
  for (const each of drafts) {
    const draft = each.field.form === event.target && kept.read(each.key);
    if (draft) kept.write(each.key, { ...draft, posted: true });
  }
});
window.addEventListener("online", () => { for (const each of drafts) each.save(); });
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "hidden") for (const each of drafts) if (each.field.isConnected) each.save(true);
});
