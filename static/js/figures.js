// A changed input brings its figures first and alone. What else the page says of that state, its address included,
// is asked for once they are painted. Where newer figures get in between, the answer is passed over and asked for
// again after these: what comes late never stands beside figures of another state.
"use strict";

const REST_AFTER_MS = 40;
let figuresUnderWay = false;
let restAt = ""; // the address of what the page still lacks
let restAsked = ""; // the one under way
let restTimer = 0;

document.addEventListener("htmx:beforeRequest", ({ detail: { elt } }) => {
  if (elt.id === "calculator") figuresUnderWay = true;
});

document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const asker = detail.requestConfig.elt.id;
  if (asker === "calculator") showFigures(detail);
  else if (asker === "results") detail.shouldSwap = !figuresUnderWay && restAsked === restAt;
});

document.addEventListener("htmx:afterRequest", ({ detail: { elt, xhr } }) => {
  if (elt.id === "calculator") {
    figuresUnderWay = false;
    if (xhr.status === 200) restAt = xhr.getResponseHeader("Ridgeway-Rest") ?? "";
    if (xhr.status === 200 && restAt) forgetWhatWasSaid();
  } else if (elt.id === "results") {
    if (!figuresUnderWay && restAsked === restAt) restAt = "";
    restAsked = "";
  } else return;
  clearTimeout(restTimer);
  if (restAt) restTimer = setTimeout(askForRest, REST_AFTER_MS);
});

// Figures are text and numbers with nothing of htmx's in them. Put in their place as they are, they are there
// several times sooner; what waits for the end of a swap is told of this one as well.
function showFigures(detail) {
  const { target, xhr, serverResponse } = detail;
  if (!xhr.getResponseHeader("Ridgeway-Rest") || target.contains(document.activeElement)) return;
  detail.shouldSwap = false;
  target.innerHTML = serverResponse;
  htmx.trigger(target, "htmx:afterSettle");
}

// Of the inputs of before: what was wrong with them, or solved for them.
function forgetWhatWasSaid() {
  for (const message of document.querySelectorAll(".error[data-error-for]")) message.textContent = "";
  document.getElementById("status").replaceChildren();
  document.getElementById("solution").replaceChildren();
}

function askForRest() {
  if (figuresUnderWay || restAsked === restAt) return;
  restAsked = restAt;
  htmx.ajax("GET", restAt, { source: "#results", target: "#results", swap: "none" });
}
