// Files that take a while to be made or read: what is going on is said, and what came of it.
"use strict";

const REVOKE_AFTER_MS = 60_000;

function tellExchange(words, { busy }) {
  const line = document.getElementById("exchange-state");
  line.hidden = !words;
  line.querySelector("progress").hidden = !busy;
  line.querySelector("span").textContent = words;
}

function sizeText(bytes) {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

async function download(link) {
  tellExchange(`Making ${link.dataset.making}…`, { busy: true });
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(`${link.href} answered ${response.status}`);
    const [, name] = /filename="([^"]+)"/.exec(response.headers.get("Content-Disposition"));
    const file = await response.blob();
    const saving = document.createElement("a");
    saving.href = URL.createObjectURL(file);
    saving.download = name;
    saving.click();
    setTimeout(() => URL.revokeObjectURL(saving.href), REVOKE_AFTER_MS);
    tellExchange(`${name} is made, ${sizeText(file.size)}.`, { busy: false });
  } catch {
    tellExchange("The server did not make the file. Try again in a moment.", { busy: false });
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-making]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  download(link);
});
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-importing]")) return;
  const [file] = event.target.elements.archive.files;
  if (file) tellExchange(`Importing ${file.name}, ${sizeText(file.size)}…`, { busy: true });
});
window.addEventListener("pageshow", (event) => { if (event.persisted) tellExchange("", { busy: false }); });
