// What flips the verdict costs more than a result does, so it is looked up only while somebody looks at it.
"use strict";

function lookAtFlips() {
  if (document.getElementById("flips")?.open) htmx.trigger("#flips-found", "look");
}

document.addEventListener("toggle", (event) => {
  if (event.target.id === "flips") lookAtFlips();
}, true);

document.addEventListener("htmx:afterOnLoad", (event) => {
  if (event.detail.elt.id === "calculator" && event.detail.successful) lookAtFlips();
});

document.addEventListener("click", (event) => {
  if (event.target.closest("a[href='#flips']")) document.getElementById("flips").open = true;
});
