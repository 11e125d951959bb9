// What every page shares: the mark of a scripted page, changed numbers, the address bar, keys, copying.
"use strict";

document.documentElement.classList.add("js");

// Numbers that have just changed are marked for a moment. Every computed number carries data-key; the texts
// before a swap are compared with those after it, over the whole page, so that panel and prose agree.
const CHANGED_FOR_MS = 1600;
const MOST_SPOKEN = 4; // a screen reader names the first few of data-spoken's changes
let textBefore = new Map();

function keyedTexts() {
  const texts = new Map();
  for (const element of document.querySelectorAll("[data-key]")) texts.set(element.dataset.key, element.textContent);
  return texts;
}

function markChanged() {
  const spoken = [];
  for (const element of document.querySelectorAll("[data-key]")) {
    const before = textBefore.get(element.dataset.key);
    if (before === undefined || before === element.textContent) continue;
    element.classList.add("changed");
    setTimeout(() => element.classList.remove("changed"), CHANGED_FOR_MS);
    if (element.dataset.spoken) spoken.push(`${element.dataset.spoken} ${element.textContent}`);
  }
  if (spoken.length) announce(spoken.slice(0, MOST_SPOKEN).join(", "));
}

function announce(text) {
  document.getElementById("announcement").textContent = text;
}

// htmx tells of each element that an answer brought. Once for all of them is enough.
function onceFor(event, work) {
  let due = false;
  document.addEventListener(event, () => {
    if (due) return;
    due = true;
    queueMicrotask(() => { due = false; work(); });
  });
}

document.addEventListener("DOMContentLoaded", () => { textBefore = keyedTexts(); });
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  // htmx takes leave of every element that a swap removes, which takes longer than all the rest. What holds
  // nothing of htmx's, and not the focus that it would keep, may go at once.
  const { shouldSwap, swapOverride, target } = detail;
  const plain = target.matches("[data-plain]") && !target.contains(document.activeElement);
  if (shouldSwap && swapOverride !== "none" && plain) target.replaceChildren();
});
onceFor("htmx:afterSettle", () => { markChanged(); textBefore = keyedTexts(); sayNews(); });

// What a swap brings as news holds its words in data-announce. They are said once: what was there when the
// page came is read where it stands.
function takeNews() {
  const words = [];
  for (const element of document.querySelectorAll("[data-announce]")) {
    words.push(element.dataset.announce.trim());
    element.removeAttribute("data-announce");
  }
  return words.filter(Boolean).join(" ");
}

function sayNews() {
  const news = document.querySelector("[data-announce][data-into-view]");
  const words = takeNews();
  if (words) announce(words);
  news?.scrollIntoView({ block: "nearest" });
}

document.addEventListener("DOMContentLoaded", takeNews);

// One entry of the history for one gesture: the first update of a gesture pushes the address, the others
// replace it. A gesture ends when its value is committed (change), or another field is next; a button's is one.
let gesture = 0;
let gestureTarget = null;
let pushedGesture = -1;
let requestGesture = -1;
const gestureOf = new WeakMap();

document.addEventListener("input", (event) => {
  if (event.target !== gestureTarget) gesture += 1;
  gestureTarget = event.target;
  gestureOf.set(event, gesture);
}, true);
document.addEventListener("change", () => { gesture += 1; });
document.addEventListener("submit", () => { gesture += 1; }, true);
document.addEventListener("focusout", () => { gestureTarget = null; });
document.addEventListener("htmx:configRequest", (event) => {
  const cause = event.detail.triggeringEvent;
  // What a script asks for follows the request before it.
  if (cause) requestGesture = gestureOf.get(cause) ?? gesture;
  event.detail.headers["Ridgeway-History"] = requestGesture === pushedGesture ? "replace" : "push";
});
document.addEventListener("htmx:pushedIntoHistory", () => { pushedGesture = requestGesture; });

// Where the masthead's line of pages is longer than a phone is wide, the current one is in sight.
document.addEventListener("DOMContentLoaded", () => {
  const current = document.querySelector(".masthead [aria-current]");
  if (current) current.closest("nav").scrollLeft = current.offsetLeft - 24;
});

// What changes beside a target arrives in one template, each part by its id: a field's message, a derivation.
// As parts of its own, htmx would take a tenth of a second over them.
onceFor("htmx:afterSwap", () => {
  for (const part of [...(document.getElementById("beside")?.content.children ?? [])]) {
    const before = document.getElementById(part.id);
    if (before && !before.isEqualNode(part)) replace(before, part);
  }
});

function replace(before, part) {
  const { id, selectionStart, selectionEnd } = document.activeElement;
  const focused = before.contains(document.activeElement);
  before.replaceWith(part);
  if (part.querySelector("button, [hx-get], [hx-post]")) htmx.process(part);
  const again = focused && id ? document.getElementById(id) : null;
  again?.focus({ preventScroll: true });
  if (again && Number.isInteger(selectionStart)) again.setSelectionRange(selectionStart, selectionEnd);
}

// A field's message, and the value that an empty field follows.
onceFor("htmx:afterSettle", () => {
  for (const message of document.querySelectorAll("[data-error-for]")) {
    const input = document.getElementById(message.dataset.errorFor);
    const wrong = message.textContent.trim() !== "";
    if (!input) continue;
    input.setAttribute("aria-invalid", String(wrong));
    if (wrong) input.closest("details")?.setAttribute("open", "");
  }
  for (const followed of document.querySelectorAll("[data-placeholder-for]")) {
    const input = document.getElementById(followed.dataset.placeholderFor);
    if (input) input.placeholder = followed.dataset.placeholder;
  }
});

// A fold that a swap replaces stays as the reader left it.
let foldsBefore = [];
document.addEventListener("htmx:beforeSwap", () => {
  foldsBefore = [...document.querySelectorAll("details[id]")].map((fold) => [fold.id, fold.open]);
});
onceFor("htmx:afterSwap", () => {
  for (const [id, open] of foldsBefore) {
    const fold = document.getElementById(id);
    if (fold) fold.open = open;
  }
});

// A field outside of its form's element sends the form when it is left with another text. It waits, so that a
// click which left it is not lost to the swap; what such a click sends has the text already.
const SEND_AFTER_MS = 300;
document.addEventListener("change", (event) => {
  const field = event.target;
  if (!field.matches("[data-submit-on-change]")) return;
  setTimeout(() => { if (field.isConnected) field.form.requestSubmit(); }, SEND_AFTER_MS);
});

// A request that got no usable answer says so, and the page keeps what it had.
for (const failure of ["htmx:sendError", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, () => {
    let notice = document.getElementById("lost");
    if (!notice) {
      notice = document.createElement("p");
      notice.id = "lost";
      notice.className = "notice lost";
      notice.setAttribute("role", "alert");
      document.body.append(notice);
    }
    notice.textContent = "The server did not answer that. What you see is from before: try again in a moment.";
  });
}
document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.successful) foundAgain();
});

function foundAgain() {
  document.getElementById("lost")?.remove();
}

// What scrolls, sideways on a narrow screen or in a box of its own, can be scrolled with the keys.
function reachScrollers() {
  for (const element of document.querySelectorAll(".table, .scroll, .math-block, pre")) {
    const scrolls = element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + 1;
    if (scrolls) element.tabIndex = 0;
    else element.removeAttribute("tabindex");
  }
}

document.addEventListener("DOMContentLoaded", reachScrollers);
onceFor("htmx:afterSettle", reachScrollers);
window.addEventListener("resize", reachScrollers);
document.addEventListener("toggle", reachScrollers, true);

// data-copy names the field to copy; with data-copy-from, what that address answers goes into it first.
async function copy(button) {
  const field = document.getElementById(button.dataset.copy);
  const source = button.dataset.copyFrom;
  const text = source ? answerOf(source) : Promise.resolve(field.value);
  try {
    // A promise of the text, so that a browser still counts it to the click when the answer comes later.
    const blob = text.then((words) => new Blob([words], { type: "text/plain" }));
    await navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })]);
  } catch {
    await selectInstead(field, text);
    return;
  }
  const label = button.textContent;
  button.textContent = "Copied";
  announce(`${button.dataset.copied ?? "Link"} copied`);
  setTimeout(() => { button.textContent = label; }, CHANGED_FOR_MS);
}

async function answerOf(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return answer.text();
}

// Without the permission, or over plain HTTP from another machine: selected, so that one keystroke copies it.
async function selectInstead(field, text) {
  let words = "The clipboard is closed to this page. The text is selected: press Ctrl+C or ⌘C to copy it.";
  try {
    field.value = await text;
    field.hidden = false;
    field.focus();
    field.select();
  } catch {
    words = "The server did not answer that. Try again in a moment.";
  }
  const remark = document.getElementById("copy-remark");
  if (remark) remark.textContent = words;
  announce(words);
}

document.addEventListener("click", (event) => {
  const copier = event.target.closest("[data-copy]");
  if (copier) copy(copier);
  const opener = event.target.closest("[data-open-dialog]");
  if (opener) document.getElementById(opener.dataset.openDialog).showModal();
});

// Keys: data-key-focus="/" moves the focus, data-key-press="r" clicks. Never while somebody is typing, and not
// where the user's settings turn them off. Pages that ask no database know it from this browser's memory.
const KEYS = "ridgeway-keys";
function rememberKeys() {
  const root = document.documentElement;
  try {
    if (root.dataset.keys) localStorage.setItem(KEYS, root.dataset.keys);
    else root.dataset.keys = localStorage.getItem(KEYS) ?? "on";
  } catch {
    // No memory: the page's own word, or on.
  }
}
rememberKeys();

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  if (document.documentElement.dataset.keys === "off") return;
  if (event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select, dialog[open]")) return;
  if (event.key === "?") {
    document.getElementById("keys")?.showModal();
    return;
  }
  const key = CSS.escape(event.key);
  const focus = document.querySelector(`[data-key-focus="${key}"]`);
  const press = document.querySelector(`[data-key-press="${key}"]`);
  if (focus) focus.focus();
  else if (press && !press.disabled) press.click();
  else return;
  event.preventDefault();
});
