// What script adds to pages that work without it: keys, drafts, focus, folds, toasts. Nothing here decides anything.
(() => {
  "use strict";

  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const cards = () => all("[data-card]");
  const cardOf = (element) => element?.closest?.("[data-card]");
  const isTyping = (element) => element.matches("textarea, select, input:not([type=checkbox])");

  // Morphing --------------------------------------------------------------------------------------------------
  // The page is rendered anew while somebody types: what they typed, ticked or unfolded is theirs, not the server's.

  const isDefault = (option) => option.selected === option.defaultSelected;

  function isDirty(field) {
    if (field instanceof HTMLSelectElement) {
      const options = [...field.options];
      return options.some((option) => option.defaultSelected) ? !options.every(isDefault) : field.selectedIndex > 0;
    }
    return field.type === "checkbox" ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
  }

  // A version belongs to the words that were written over it: it stays as long as they do.
  const isHeld = (field) =>
    field.name === "version" && [...(field.form?.elements ?? [])].some((other) => /^(INPUT|TEXTAREA|SELECT)$/.test(other.tagName) && other.type !== "hidden" && isDirty(other));

  function mayUpdate(name, element) {
    if (name === "open" && element instanceof HTMLDetailsElement) return false;
    if (name === "value" && element instanceof HTMLInputElement && element.type === "hidden") return !isHeld(element);
    if (element instanceof HTMLInputElement && (name === "value" || name === "checked")) return !isDirty(element);
    if (element instanceof HTMLTextAreaElement && name === "value") return !isDirty(element);
    if (element instanceof HTMLOptionElement && name === "selected") return !isDirty(element.closest("select"));
    return true;
  }

  if (window.Idiomorph) Idiomorph.defaults.callbacks.beforeAttributeUpdated = mayUpdate;

  // Drafts ----------------------------------------------------------------------------------------------------
  // Kept by the tab, so that words survive a reload, a sign-in and a lost race.

  const draftName = (key) => `handraise:draft:${key}`;

  function keepDraft(field) {
    const name = draftName(field.dataset.draftKey);
    if (field.value) sessionStorage.setItem(name, field.value);
    else sessionStorage.removeItem(name);
  }

  function restoreDrafts() {
    for (const toast of all("[data-draft]")) {
      sessionStorage.setItem(draftName(toast.dataset.draftFor), toast.dataset.draft);
      delete toast.dataset.draft;
    }
    for (const field of all("[data-draft-key]")) {
      const kept = sessionStorage.getItem(draftName(field.dataset.draftKey));
      if (kept && !field.value) field.value = kept;
    }
  }

  document.addEventListener("input", (event) => {
    const field = event.target;
    if (field.dataset?.draftKey) keepDraft(field);
    if (field.matches?.("[data-find]")) find(field);
  });

  document.addEventListener("change", (event) => event.target.form?.matches("[data-submit]") && event.target.form.requestSubmit());

  function forget(form) {
    for (const field of all("[data-draft-key]", form)) {
      sessionStorage.removeItem(draftName(field.dataset.draftKey));
      field.value = "";
    }
  }

  document.addEventListener("submit", (event) => {
    // With htmx the words are forgotten once they have arrived; without it the page goes, and its draft with it.
    if (!window.htmx) for (const field of all("[data-draft-key]", event.target)) sessionStorage.removeItem(draftName(field.dataset.draftKey));
  });

  // Many options are a list to search -------------------------------------------------------------------------

  function find(field) {
    const words = field.value.trim().toLowerCase();
    for (const item of all("li", field.parentElement)) item.hidden = !item.textContent.toLowerCase().includes(words);
  }

  // Keys: only while a card has the focus ---------------------------------------------------------------------

  function move(card, step) {
    const every = cards();
    every[Math.min(Math.max(every.indexOf(card) + step, 0), every.length - 1)]?.focus();
  }

  function leave(card, target) {
    const fold = card.querySelector("details.opens[open]");
    if (fold) shut(fold);
    else if (target !== card) card.focus();
    else card.blur();
  }

  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (target.matches("[data-composer]") && event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      if (target.value.trim()) target.form.requestSubmit();
      return;
    }
    if (event.key === "/" && !isTyping(target)) {
      const field = document.getElementById("q") ?? document.querySelector("[data-search]");
      event.preventDefault();
      if (field?.matches("input")) field.select();
      else field?.click();
      return;
    }
    const card = cardOf(target);
    if (!card) return;
    if (event.key === "Escape") return leave(card, target);
    if (isTyping(target)) return;
    const key = event.key.toLowerCase();
    if (key === "j" || key === "k") move(card, key === "j" ? 1 : -1);
    else if (/^[1-9]$/.test(key)) all(".options:not(.options--find) .option", card)[Number(key) - 1]?.click();
    else if ("dcr".includes(key)) card.querySelector(`[data-key="${key}"]`)?.click();
    else return;
    event.preventDefault();
  });

  // Folds that open in place ----------------------------------------------------------------------------------

  function shut(fold) {
    fold.open = false;
    fold.querySelector("summary").focus();
  }

  document.addEventListener(
    "toggle",
    (event) => {
      const fold = event.target;
      if (fold.matches("details.opens") && fold.open) fold.querySelector("input:not([type=hidden]), select, button")?.focus();
    },
    true,
  );

  document.addEventListener("click", (event) => {
    const closer = event.target.closest("[data-close]");
    if (closer?.closest(".toast")) closer.closest(".toast").remove();
    else if (closer) shut(closer.closest("details"));
    const offer = event.target.closest("[data-try]");
    const composer = offer && document.querySelector("[data-composer]");
    if (!composer) return;
    event.preventDefault();
    composer.value = offer.dataset.try;
    keepDraft(composer);
    composer.focus();
  });

  // Focus: never lost when the card under it is decided or redrawn ----------------------------------------------

  let stoodOn = null;

  function remember() {
    const card = cardOf(document.activeElement);
    if (card) stoodOn = { id: card.id, index: cards().indexOf(card) };
  }

  function stand() {
    if (!stoodOn || document.activeElement !== document.body) return;
    const same = document.getElementById(stoodOn.id);
    const next = same?.matches("[data-card]") ? same : cards()[stoodOn.index] ?? cards().at(-1);
    stoodOn = null;
    (next ?? document.getElementById("main"))?.focus({ preventScroll: !next });
  }

  // Toasts, times, the title's count --------------------------------------------------------------------------

  function toast(title, text) {
    const box = document.createElement("div");
    box.className = "toast toast--bad";
    box.setAttribute("role", "alert");
    const words = document.createElement("p");
    const bold = document.createElement("b");
    bold.textContent = title;
    words.append(bold, ` ${text}`);
    box.append(words);
    document.getElementById("toasts")?.append(box);
  }

  function letToastsGo() {
    for (const box of all(".toast:not([data-stays]):not([role=alert])")) {
      if (box.dataset.timed) continue;
      box.dataset.timed = "yes";
      setTimeout(() => box.remove(), 8000);
    }
  }

  function span(from) {
    const minutes = Math.max(0, Math.floor((Date.now() - new Date(from)) / 60000));
    if (!minutes) return "a moment";
    const pieces = [[Math.floor(minutes / 1440), "d"], [Math.floor(minutes / 60) % 24, "h"], [minutes % 60, "min"]];
    const first = pieces.findIndex(([count]) => count);
    return pieces.slice(first, first + 2).filter(([count]) => count).map(([count, unit]) => `${count} ${unit}`).join(" ");
  }

  function tick() {
    for (const element of all("[data-since]")) element.textContent = span(element.dataset.since);
  }

  function countInTitle() {
    const waiting = Number(document.querySelector("[data-waiting]")?.dataset.waiting ?? 0);
    const bare = document.title.replace(/^\(\d+\) /, "");
    document.title = waiting ? `(${waiting}) ${bare}` : bare;
  }

  function refresh() {
    restoreDrafts();
    letToastsGo();
    countInTitle();
    stand();
  }

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    // Before the answer is looked at: it may morph this page, or lead to another one.
    const form = event.detail.elt;
    if (!(form instanceof HTMLFormElement) || event.detail.xhr.status >= 400) return;
    forget(form);
    if (event.detail.xhr.responseText.includes("toast--bad")) return;
    form.reset();
    form.closest("details.opens")?.removeAttribute("open");
  });
  document.addEventListener("htmx:beforeSwap", remember);
  document.addEventListener("htmx:afterSettle", refresh);
  document.addEventListener("htmx:sendError", (event) => {
    if (event.detail.elt instanceof HTMLFormElement) toast("Not sent.", "The server can't be reached. Your words are kept; try again in a moment.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    if (event.detail.elt instanceof HTMLFormElement) toast("Not done.", `The server answered ${event.detail.xhr.status}, so nothing was changed. Reload the page and try again.`);
  });
  document.addEventListener("DOMContentLoaded", refresh);
  setInterval(tick, 30000);
})();
