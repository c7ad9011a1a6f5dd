// The cards' forms: a list that a scanner fills, fields that come up with an answer, the order of suits by touch.
// Every form works without it: a list is then a box with one code a line, and all fields are in sight.
(() => {
  "use strict";
  const make = (name, kind, text) => { const made = document.createElement(name); if (kind) made.className = kind; if (text) made.textContent = text; return made; };

  // A scanner types a code and Enter. `one`: a code a line. `pair`: a serial number, then the seal of its box.
  // `cards`: cards one after the other. What is sent is the box that was there before, kept in step.
  const enhance = (box) => {
    const mode = box.dataset.scan, words = box.dataset;
    const shell = make("div", "scan"), input = make("input"), said = make("p", "scan-said soft"), list = make("ul", "tokens");
    const picks = words.picks && document.querySelector(words.picks);
    let lines = [], waiting = "", again = "";
    for (const name of ["autocapitalize", "autocomplete", "spellcheck"]) input.setAttribute(name, box.getAttribute(name) || "off");
    input.id = box.id; box.removeAttribute("id"); box.required = false; box.hidden = true;
    said.setAttribute("role", "status"); input.enterKeyHint = "next";
    box.before(shell); shell.append(input, said, list);

    const key = (code) => code.trim().replace(/^b:/i, "");
    const show = (note = "") => {
      box.value = [...lines, ...(waiting ? [waiting] : [])].join(mode === "cards" ? " " : "\n");
      list.replaceChildren(...lines.map((line, at) => {
        const item = make("li", "token"), drop = make("button", "", "×");
        drop.type = "button"; drop.setAttribute("aria-label", `${words.remove} ${line}`);
        drop.addEventListener("click", () => { lines.splice(at, 1); show(); input.focus(); });
        item.append(make("span", "mono", line), drop);
        return item;
      }));
      input.placeholder = mode === "cards" ? words.cards : waiting ? `${words.second} ${waiting}` : words.first;
      said.textContent = note || (lines.length && mode !== "cards" ? `${words.read}: ${lines.length}` : "");
      said.classList.toggle("down", Boolean(note));
    };
    const tick = (code) => {
      const found = picks && [...picks.querySelectorAll("input")].find((one) => one.value === code);
      if (!found) return false;
      found.checked = true; found.closest("label").scrollIntoView({ block: "nearest" });
      return true;
    };
    const take = (typed) => {
      let note = "";
      for (const line of typed.split(mode === "cards" ? /[\s,]+/ : /\r?\n/).map((part) => part.trim()).filter(Boolean)) {
        if (mode === "cards") { lines.push(line); continue; }
        if (mode === "pair") {
          const [first, ...rest] = line.split(/\s+/);
          // A box read twice: its seal follows, and belongs to no other box.
          const repeated = again; again = "";
          if (repeated && line === repeated) { note = `${line}: ${words.twice}`; continue; }
          if (waiting) { lines.push(`${waiting} ${line}`); waiting = ""; continue; }
          const known = lines.find((old) => key(old.split(/\s+/)[0]) === key(first));
          if (known) { note = `${key(first)}: ${words.twice}`; again = known.split(/\s+/).slice(1).join(" "); continue; }
          if (rest.length) lines.push(`${key(first)} ${rest.join(" ")}`); else waiting = key(first);
          continue;
        }
        const code = key(line);
        if (lines.some((old) => old === code)) note = `${code}: ${words.twice}`;
        else if (!tick(code)) lines.push(code);
      }
      show(note);
    };
    input.addEventListener("keydown", (e) => {
      if (e.key === "Enter" && input.value.trim()) { e.preventDefault(); take(input.value); input.value = ""; }
      if (mode === "cards" && e.key === " ") { e.preventDefault(); take(input.value); input.value = ""; }
      if (e.key === "Backspace" && !input.value && (lines.length || waiting)) { if (waiting) waiting = ""; else lines.pop(); show(); }
    });
    input.addEventListener("paste", (e) => {
      const pasted = e.clipboardData.getData("text");
      if (/[\r\n]/.test(pasted)) { e.preventDefault(); take(pasted); }
    });
    input.form.addEventListener("submit", () => { if (input.value.trim()) { take(input.value); input.value = ""; } });
    take(box.value);
    if (box.autofocus) input.focus();
  };
  document.querySelectorAll("[data-scan]").forEach(enhance);

  // A scanner's Enter in one of many boxes goes on to the next; it does not send the form half filled.
  const boxes = [...document.querySelectorAll("[data-next]")];
  boxes.forEach((box, at) => box.addEventListener("keydown", (e) => {
    if (e.key !== "Enter") return;
    e.preventDefault();
    (boxes[at + 1] || box.form.querySelector(".btn.main")).focus();
  }));

  // A field that an answer brings up: data-when="kind=machine,other".
  document.querySelectorAll("[data-when]").forEach((place) => {
    const form = place.closest("form"), [name, answers] = place.dataset.when.split("=");
    const look = () => { place.hidden = !answers.split(",").includes(new FormData(form).get(name) || ""); };
    form.addEventListener("change", look);
    look();
  });

  // Suits are tapped in the order in which the deck shows them.
  document.querySelectorAll("[data-suits]").forEach((row) => {
    const field = document.getElementById(row.dataset.suits);
    row.hidden = false;
    row.addEventListener("click", (e) => {
      const button = e.target.closest("button");
      if (!button) return;
      const letter = button.dataset.add;
      field.value = letter ? field.value.replaceAll(letter, "").trim() + letter : "";
    });
  });

  // The rows of a count that nobody filled in: whole, and nothing on their backs.
  document.querySelectorAll("[data-complete]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => document.querySelectorAll(button.dataset.complete).forEach((row) => {
      const counted = row.querySelector("input[placeholder]");
      if (counted.value.trim()) return;
      counted.value = counted.placeholder;
      row.querySelector("input[type=checkbox]").checked = true;
    }));
  });

  document.querySelectorAll("[data-print]").forEach((button) => { button.hidden = false; button.addEventListener("click", () => print()); });
  document.querySelectorAll("[data-all]").forEach((button) => {
    button.hidden = false;
    button.addEventListener("click", () => {
      const boxes = [...document.querySelectorAll(button.dataset.all)].slice(0, button.dataset.most || undefined);
      const on = boxes.some((one) => !one.checked);
      boxes.forEach((one) => { one.checked = on; });
    });
  });
})();
