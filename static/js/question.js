// The question page: the echo of a number, sliders, the browser's time zone.
"use strict";

const ECHO_AFTER_MS = 150;

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

// Each element is set up once, however often the page is looked through.
function once(setUp) {
  const done = new WeakSet();
  return (element) => {
    if (done.has(element)) return;
    done.add(element);
    setUp(element);
  };
}

const SET_UPS = [
  ["[data-reading]", once(echoReading)],
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

// Key points are kept as they are ticked, like a text: a rating may overtake the ticks that it brings along.
document.addEventListener("change", (event) => {
  const stamp = event.target.matches("input[name=point]") && event.target.form.elements["stamp-points"];
  if (stamp) stamp.value = `${stamp.value.split(" ")[0]} ${PAGE} ${nextCount()}`;
}, true);

// Ctrl+Enter or ⌘+Enter in a text of several lines does what Enter does in a line.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || !event.target.matches("textarea")) return;
  event.preventDefault();
  event.target.form.querySelector("button:not([type=button])")?.click();
});
