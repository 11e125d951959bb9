// A running interview's clock, which mirrors the server's; and what helps to read and print a report.
"use strict";

const SYNC_EVERY_MS = 60_000;
const WARN_AT_S = [300, 60]; // said aloud by a screen reader, which does not read a clock that ticks

function clockText(seconds) {
  const size = Math.abs(seconds);
  const two = (number) => String(number).padStart(2, "0");
  const hours = Math.floor(size / 3600);
  const minutes = Math.floor((size % 3600) / 60);
  return hours ? `${hours}:${two(minutes)}:${two(size % 60)}` : `${minutes}:${two(size % 60)}`;
}

function runClock(clock) {
  let leftAtSync = Number(clock.dataset.left);
  let syncedAt = Date.now();
  let shown = leftAtSync;

  function tick() {
    const left = leftAtSync - Math.floor((Date.now() - syncedAt) / 1000);
    for (const mark of WARN_AT_S) {
      if (shown > mark && left <= mark) announce(`${mark / 60} minute${mark > 60 ? "s" : ""} left`);
    }
    if (shown > 0 && left <= 0) {
      announce("The time is up. What you answer now is kept, and marked as late.");
      document.getElementById("time-up").hidden = false;
    }
    shown = left;
    clock.classList.toggle("over", left <= 0);
    clock.textContent = left > 0 ? `${clockText(left)} left` : `Time is up: ${clockText(left)} over`;
  }

  // A machine that slept, or a clock that was set, shows what the server says as soon as it is asked.
  async function sync() {
    const askedAt = Date.now();
    try {
      const response = await fetch(clock.dataset.clock, { headers: { Accept: "application/json" } });
      if (!response.ok) return;
      const { left } = await response.json();
      if (askedAt < syncedAt) return; // a later question was answered first
      leftAtSync = left;
      syncedAt = askedAt;
      tick();
    } catch {
      // The server is away: the clock goes on by itself.
    }
  }

  setInterval(tick, 1000);
  setInterval(sync, SYNC_EVERY_MS);
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "visible") sync(); });
  window.addEventListener("pageshow", (event) => { if (event.persisted) sync(); });
}

document.addEventListener("DOMContentLoaded", () => {
  const clock = document.getElementById("clock");
  if (clock) runClock(clock);
  document.querySelector("[data-take-focus]")?.focus(); // the field that could not be read
});

document.addEventListener("click", (event) => {
  if (event.target.closest("[data-print]")) window.print();
  if (event.target.closest("[data-open-answers]")) {
    for (const answer of document.querySelectorAll(".model-answer")) answer.open = true;
  }
});
