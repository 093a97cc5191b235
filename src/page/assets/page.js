// The page of flitcast serve: a scenario as a form and as text, its forecast, simulated points.
// The text is the truth: the form edits lines of it. The server draws every picture.
"use strict";

const $ = (selector) => document.querySelector(selector);
const token = new URLSearchParams(location.search).get("token") || "";
const state = { text: "", file: "scenario.yaml", base: null, pins: [], answer: null, started: null };
let forecastCall = null, explainTimer = 0, explained = "", stream = null;

// ---- calls ----

const isLocal = typeof localCall === "function"; // compiled into the page: there is no server

async function call(name, body, signal) {
  const text = JSON.stringify(body || {});
  const response = isLocal ? await localCall(name, text, signal) : await fetch("api/" + name, {
    method: "POST", signal, headers: { "X-Flitcast-Token": token }, body: text });
  if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
  return response;
}

function fatal(sentence) {
  $("#fatal").textContent = sentence;
  $("#fatal").hidden = !sentence;
}

// ---- the address holds the state ----

function toAddress() {
  const kept = JSON.stringify({ text: state.text, pins: state.pins, file: state.file });
  const bytes = new TextEncoder().encode(kept);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  history.replaceState(null, "", location.pathname + location.search + "#" +
    btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, ""));
}

function fromAddress() {
  try {
    const binary = atob(location.hash.slice(1).replaceAll("-", "+").replaceAll("_", "/"));
    const kept = JSON.parse(new TextDecoder().decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))));
    return typeof kept.text === "string" && Array.isArray(kept.pins) ? kept : null;
  } catch { return null; }
}

// ---- the text ----

// The text with the value of "network.radix" set, or null where its layout is not lines of keys.
function withKey(text, path, value) {
  const dot = path.indexOf("."), group = path.slice(0, dot), key = path.slice(dot + 1);
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.replace(/#.*/, "").trimEnd() === group + ":");
  const drop = value === "";
  if (start < 0) {
    if (lines.some((line) => line.startsWith(group + ":"))) return null;
    if (drop) return text;
    return text.replace(/\s*$/, "\n") + `${group}:\n  ${key}: ${value}\n`;
  }
  let end = start + 1;
  while (end < lines.length && (/^\s+\S|^\s*#/.test(lines[end]) || !lines[end].trim())) end++;
  for (let i = start + 1; i < end; i++) {
    const match = /^(\s+)([\w-]+):(.*)$/.exec(lines[i]);
    if (!match || match[2] !== key) continue;
    let next = i + 1; // a value on lines of its own
    while (next < end && /^\s*/.exec(lines[next])[0].length > match[1].length && lines[next].trim()) next++;
    if (drop) lines.splice(i, next - i);
    else {
      const comment = next === i + 1 ? /\s+#.*$/.exec(match[3]) : null;
      lines.splice(i, next - i, `${match[1]}${key}: ${value}${comment ? comment[0] : ""}`);
    }
    return lines.join("\n");
  }
  if (drop) return text;
  while (end > start + 1 && !lines[end - 1].trim()) end--;
  lines.splice(end, 0, `  ${key}: ${value}`);
  return lines.join("\n");
}

function setKey(path, value) {
  const edited = withKey(state.text, path, value) ??
    withKey(state.answer?.written ?? state.text, path, value);
  if (edited !== null) setText(edited);
}

function setText(text, fromEditor) {
  state.text = text;
  if (!fromEditor) $("#text").value = text;
  numberLines(0);
  refresh();
}

function numberLines(wrong) {
  const pre = $("#lines"), count = $("#text").value.split("\n").length;
  pre.replaceChildren();
  for (let i = 1; i <= count; i++) {
    const number = document.createElement(i === wrong ? "b" : "span");
    number.textContent = i;
    pre.append(number, "\n");
  }
}

// ---- forecast ----

async function refresh() {
  forecastCall?.abort();
  const mine = forecastCall = new AbortController();
  stopStream();
  try {
    const answer = await (await call("forecast", { text: state.text, pins: state.pins }, mine.signal)).json();
    if (mine !== forecastCall) return;
    fatal("");
    show(answer);
  } catch (error) {
    if (error.name !== "AbortError") fatal((isLocal ? "This failed: " : "The server does not answer: ") + error.message);
  }
}

function show(answer) {
  $("#error").hidden = answer.ok;
  document.body.dataset.ready = answer.ok ? "yes" : "no";
  $("#results").classList.toggle("stale", !answer.ok);
  if (!answer.ok) {
    $("#error").textContent = (answer.line ? `Line ${answer.line}: ` : "") + answer.message;
    numberLines(answer.line);
    $("#text").setAttribute("aria-invalid", "true");
    markForm(answer.message);
    return;
  }
  state.answer = answer;
  $("#text").removeAttribute("aria-invalid");
  if (answer.yaml) { // BookSim's, translated
    state.text = answer.yaml;
    $("#text").value = answer.yaml;
  }
  numberLines(0);
  markForm("");
  $("#name").textContent = answer.name;
  document.title = answer.name + " - Flitcast";
  showList($("#differences"), answer.differences || [], (sentence) => sentence);
  showForm(answer.keys);
  showLoad(answer.load);
  showSummary(answer);
  $("#curve").innerHTML = answer.curve || "";
  $("#curve").hidden = !answer.curve; // work that ends has no load
  showWork(answer);
  $("#network figure").innerHTML = answer.network || "";
  if (!answer.network) $("#network figure").textContent = answer.network_note || "";
  showParts(answer.result);
  showPins(answer);
  state.base ??= answer.written;
  $("#command").value = commandLine(answer);
  toAddress();
  if (explained !== state.text) $("#explain").classList.add("stale");
  clearTimeout(explainTimer);
  explainTimer = setTimeout(explain, 350);
}

function showList(box, items, text) {
  box.hidden = !items.length;
  box.querySelector("ul").replaceChildren(...items.map((item) => {
    const line = document.createElement("li");
    line.textContent = text(item);
    return line;
  }));
}

// Four digits, but never fewer than a whole number has: 64638 cycles stay 64638.
const digits = (value, count = 4) =>
  Math.abs(value) >= 10 ** count ? Math.round(value).toString() : Number(value.toPrecision(count)).toString();

// " (18.4 ns)" where the clock is known.
const physically = (item) => item?.physical ? ` (${digits(item.physical.value)} ${item.physical.unit})` : "";

function showSummary(answer) {
  const result = answer.result, metric = result?.metrics?.[answer.metric];
  const name = answer.metric.replaceAll("_", " ");
  if (!result) $("#summary").textContent = "No model covers this network: simulate it. " + (answer.unmodelled || "");
  else if (result.outcome === "ok" && metric)
    $("#summary").textContent = `${name} ${digits(metric.value)} ${metric.unit}${physically(metric)} by ${result.method.name}` +
      (metric.interval ? `, 90 % between ${digits(metric.interval.low)} and ${digits(metric.interval.high)}` : "") + ".";
  else $("#summary").textContent = `${result.method.name}: ${result.outcome}. ${result.note || ""}`;
  const accuracy = result?.accuracy;
  $("#warning").hidden = !accuracy || accuracy.validated !== false;
  $("#warning").textContent = accuracy?.text ? "Accuracy: " + accuracy.text + "." : "";
  if (accuracy?.validated) $("#summary").textContent += ` Measured error: ${accuracy.text}.`;
}

// Work that ends: how long it takes, what no network could beat, and what decides it.
function showWork(answer) {
  const { duration, duration_bound: bound, efficiency } = answer.result?.metrics || {};
  const critical = answer.result?.critical || {}, rows = [];
  const chain = critical.chain, link = critical.link;
  if (duration) rows.push(["duration", `${digits(duration.value)} ${duration.unit}${physically(duration)}`]);
  if (bound) rows.push(["lower bound of it", `${digits(bound.value)} ${bound.unit}${physically(bound)}`]);
  if (efficiency) rows.push(["bound / duration", `${digits(100 * efficiency.value, 3)} %`]);
  if (link) rows.push([`busiest link, ${link.name}`, `in use ${digits(100 * link.utilisation, 3)} % of the time`]);
  if (chain) rows.push([`longest chain, ${chain.messages} messages`, `waits ${digits(chain.waiting)} of ${digits(chain.cycles)} cycles`]);
  $("#duration").hidden = !!answer.curve || !duration;
  $("#duration tbody").replaceChildren(...rows.map(([name, value]) => {
    const row = document.createElement("tr"), head = document.createElement("th"), cell = document.createElement("td");
    head.scope = "row";
    head.textContent = name;
    cell.textContent = value;
    row.append(head, cell);
    return row;
  }));
}

function showParts(result) {
  const parts = result?.parts || [], body = $("#parts tbody");
  const total = parts.reduce((sum, part) => sum + Math.max(0, part.value), 0);
  $("#parts").hidden = !parts.length;
  body.replaceChildren(...parts.map((part) => {
    const row = document.createElement("tr"), head = document.createElement("th");
    head.textContent = part.name;
    head.scope = "row";
    const value = document.createElement("td"), share = document.createElement("td"), bar = document.createElement("i");
    value.textContent = (part.value > 0 && part.value < 0.001 ? "< 0.001" : digits(part.value, 3)) +
      ` ${part.unit}` + physically(part);
    bar.style.width = (total > 0 ? 100 * Math.max(0, part.value) / total : 0) + "%";
    bar.title = total > 0 ? (100 * part.value / total).toFixed(1) + " %" : "";
    share.append(bar);
    row.append(head, value, share);
    return row;
  }));
}

// ---- the load's slider: 0 to 1.1 times saturation, or ten times the present value ----

function showLoad(load) {
  $(".load").hidden = !load;
  if (!load) return;
  const slider = $("#slider"), reach = load.saturation || load.end;
  const high = reach ? 1.1 * Math.max(reach, load.saturation ? 0 : load.value) : 10 * load.value;
  slider.dataset.key = load.key;
  slider.dataset.high = high;
  $("#load-label").textContent = load.key;
  if (document.activeElement !== slider) slider.value = Math.round(1000 * Math.min(1, load.value / high));
  const inUnits = (value) => load.factor ? ` (${digits(value * load.factor)} ${load.unit})` : "";
  $("#load-value").textContent = digits(load.value) + inUnits(load.value) +
    (load.saturation ? `: ${Math.round(100 * load.value / load.saturation)} % of the saturation load ${digits(load.saturation)}${inUnits(load.saturation)} (model)` : "");
}

$("#slider").addEventListener("input", (event) => {
  const slider = event.target;
  const value = Math.max(1, Number(slider.value)) / 1000 * Number(slider.dataset.high);
  setKey(slider.dataset.key, String(Number(value.toPrecision(4))));
});

// ---- the form ----

function control(key) {
  const choices = /^one of: (.*)$/.exec(key.expected);
  const input = document.createElement(choices ? "select" : "input");
  if (choices) {
    const names = choices[1].split(", ");
    if (!key.value || !names.includes(key.value)) names.unshift("");
    for (const name of names) {
      const option = document.createElement("option");
      option.value = name;
      option.textContent = name || "(default)";
      input.append(option);
    }
  } else {
    input.placeholder = key.fallback || "(default)";
    input.inputMode = /number/.test(key.expected) && !/list/.test(key.expected) ? "decimal" : "text";
  }
  input.value = key.value;
  input.id = "key-" + key.path;
  input.dataset.path = key.path;
  input.addEventListener("change", () => setKey(key.path, input.value.trim()));
  return input;
}

const everyday = ["network.topology", "network.radix", "network.routing", "network.virtual_channels", "network.buffer",
  "traffic.rate", "traffic.message_flits", "traffic.destinations", "traffic.workload", "simulation.precision"];

// A key stands in the form if it is one of every day's, the scenario gives it, or something is wrong with it.
function isGiven(path) {
  return everyday.includes(path) || new RegExp(`^\\s+${path.slice(path.indexOf(".") + 1)}:`, "m").test(state.text);
}

// What is looked for is shown wherever it lies; else the keys of every day, or all of them.
function filterForm() {
  const wanted = $("#find-key").value.trim().toLowerCase(), all = $("#all-keys").checked;
  let folded = 0;
  for (const box of document.querySelectorAll("#form .key")) {
    const input = box.querySelector("[data-path]");
    const shown = wanted ? (input.dataset.path + " " + box.querySelector("small").textContent).toLowerCase().includes(wanted)
      : all || isGiven(input.dataset.path) || input.getAttribute("aria-invalid") === "true" || input === document.activeElement;
    box.hidden = !shown;
    if (!shown) folded++;
  }
  for (const set of document.querySelectorAll("#form fieldset")) set.hidden = !set.querySelector(".key:not([hidden])");
  $("#folded").textContent = folded ? `${folded} more keys are folded` : "";
}
$("#find-key").addEventListener("input", filterForm);
$("#all-keys").addEventListener("change", filterForm);

function showForm(keys) {
  fillForm(keys);
  filterForm();
}

function fillForm(keys) {
  const form = $("#form"), active = document.activeElement;
  const shape = keys.map((key) => key.path).join();
  if (form.dataset.shape === shape) { // the same keys: only values change, and focus stays
    for (const key of keys) {
      const input = document.getElementById("key-" + key.path);
      input.removeAttribute("aria-invalid");
      if (input !== active || input.tagName === "SELECT") input.value = key.value;
    }
    return;
  }
  const focus = active?.dataset?.path;
  form.dataset.shape = shape;
  form.replaceChildren();
  for (const group of ["network", "traffic", "simulation"]) {
    const set = document.createElement("fieldset"), legend = document.createElement("legend");
    legend.textContent = group;
    set.append(legend);
    for (const key of keys.filter((each) => each.path.startsWith(group + "."))) {
      const box = document.createElement("div"), label = document.createElement("label");
      const help = document.createElement("small"), input = control(key);
      box.className = "key";
      label.htmlFor = input.id;
      label.textContent = key.path.slice(group.length + 1);
      help.id = "help-" + key.path;
      help.textContent = input.tagName === "SELECT" ? `${key.help}.` : `${key.help}. ${key.expected}.`;
      input.setAttribute("aria-describedby", help.id);
      box.append(label, input, help);
      set.append(box);
    }
    if (set.children.length > 1) form.append(set);
  }
  if (focus) document.getElementById("key-" + focus)?.focus();
}

// What is wrong stands at the fields it names too: the form is longer than a screen.
function markForm(message) {
  let first = null;
  for (const note of document.querySelectorAll("#form .wrong")) note.remove();
  for (const input of document.querySelectorAll("#form [data-path]")) {
    const named = new RegExp(`${input.dataset.path}(?![\\w-])`).test(message);
    if (!named) { input.removeAttribute("aria-invalid"); continue; }
    const note = document.createElement("small");
    note.className = "wrong";
    note.textContent = message;
    input.setAttribute("aria-invalid", "true");
    input.after(note);
    first ??= input;
  }
  if (!message) return;
  filterForm();
  const box = first?.closest(".key"), place = box?.getBoundingClientRect();
  if (place && (place.top < 0 || place.bottom > innerHeight - 100)) box.scrollIntoView({ block: "center" });
}

$("#form").addEventListener("submit", (event) => event.preventDefault());

// ---- tabs ----

function showTab(name) {
  for (const [tab, panel] of [["tab-form", "keys"], ["tab-text", "source"]]) {
    const chosen = panel === name;
    $("#" + tab).setAttribute("aria-selected", chosen);
    $("#" + tab).tabIndex = chosen ? 0 : -1;
    $("#" + panel).hidden = !chosen;
  }
}
$("#tab-form").addEventListener("click", () => showTab("keys"));
$("#tab-text").addEventListener("click", () => showTab("source"));
$("[role=tablist]").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
  const other = event.target.id === "tab-form" ? "#tab-text" : "#tab-form";
  $(other).click();
  $(other).focus();
});

let typing = 0;
$("#text").addEventListener("input", () => {
  clearTimeout(typing);
  numberLines(0);
  typing = setTimeout(() => setText($("#text").value, true), 200);
});
$("#text").addEventListener("scroll", () => { $("#lines").scrollTop = $("#text").scrollTop; });

// ---- explanation ----

async function explain() {
  const text = state.text;
  try {
    const answer = await (await call("explain", { text })).json();
    if (text !== state.text) return;
    explained = text;
    $("#explain").classList.remove("stale");
    if (answer.algorithms) {
      $("#curve").innerHTML = answer.algorithms;
      $("#curve").hidden = false;
    }
    // Now the saturation load can be marked; but a new forecast would end a simulation under way.
    if (answer.saturation && state.answer?.load && !state.answer.load.saturation && !stream) refresh();
    const paragraphs = (answer.sentences || [answer.message]).map((sentence) => {
      const p = document.createElement("p");
      p.textContent = sentence;
      return p;
    });
    $("#explain .sentences").replaceChildren(...paragraphs);
    $("#explain .levers").replaceChildren(...(answer.levers || []).map((lever) => {
      const line = document.createElement("li"), button = document.createElement("button");
      const better = answer.metric === "efficiency" || answer.metric === "throughput" ? "rises" : "falls";
      line.append(`${lever.key}: ${lever.from} to ${lever.to}, ${answer.metric} ${better} by ${(100 * lever.gain).toFixed(1)} % `);
      button.type = "button";
      button.textContent = "Apply";
      button.setAttribute("aria-label", `Set ${lever.key} to ${lever.to}`);
      button.addEventListener("click", () => setKey(lever.key, lever.to));
      if (/\.\d+$/.test(lever.key)) button.hidden = true; // an entry of a list
      line.append(button);
      return line;
    }));
  } catch { /* the next change asks again */ }
}

// ---- simulation: server-sent events over a POST, cancelled by closing ----

function stopStream() {
  stream?.abort();
  stream = null;
  $("#simulate").textContent = "Simulate";
  $("#progress").value = 0;
}

async function simulate() {
  if (stream) { stopStream(); $("#status").textContent = "stopped"; return; }
  const mine = stream = new AbortController();
  $("#simulate").textContent = "Stop";
  $("#status").textContent = "simulating";
  try {
    const response = await call("simulate", { text: state.text, pins: state.pins }, mine.signal);
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let waiting = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done || mine !== stream) break;
      waiting += value;
      const events = waiting.split("\n\n");
      waiting = events.pop();
      for (const event of events) onEvent(event);
    }
    if (mine === stream) stopStream();
  } catch (error) {
    if (error.name !== "AbortError") { $("#status").textContent = error.message; stopStream(); }
  }
}

let simulatedPoints = [];
function onEvent(text) {
  const [, name, data] = /^event: (\w+)\ndata: (.*)$/s.exec(text) || [];
  if (!name) return;
  const event = JSON.parse(data);
  if (name === "progress") { $("#progress").value = event.done; return; }
  if (name === "failed") $("#status").textContent = event.message;
  if (name === "end") $("#status").textContent += ", done";
  if (name !== "point") return;
  if (event.curve) $("#curve").innerHTML = event.curve;
  simulatedPoints = event.points;
  const here = event.points[0];
  $("#curve").dataset.points = event.points.length;
  $("#status").textContent = !here ? `simulated: ${event.outcome} at this load` :
    `simulated ${digits(here.value)} ± ${digits(here.half_width, 2)} at ${digits(here.load)}` +
    (event.points.length > 1 ? `, and ${event.points.length - 1} other loads` : "");
}
$("#simulate").addEventListener("click", () => { simulatedPoints = []; delete $("#curve").dataset.points; simulate(); });

// ---- pins ----

function changedKeys(now, then) { // [key, value now, value then], from the scenarios as written
  const values = (text) => {
    const found = new Map();
    let group = "";
    for (const line of text.split("\n")) {
      const key = /^(\s*)([\w-]+):\s*(.*)$/.exec(line);
      if (!key) continue;
      if (!key[1]) group = key[2];
      else found.set(group + "." + key[2], key[3]);
    }
    return found;
  };
  const a = values(now), b = values(then);
  return [...new Set([...a.keys(), ...b.keys()])].filter((key) => a.get(key) !== b.get(key))
    .map((key) => [key, a.get(key), b.get(key)]);
}

function showPins(answer) {
  const own = answer.result?.metrics?.[answer.metric];
  $("#pins").hidden = !state.pins.length;
  $("#pins ul").replaceChildren(...(answer.pins || []).map((pin, index) => {
    const line = document.createElement("li"), remove = document.createElement("button");
    const changes = changedKeys(answer.written, pin.written)
      .map(([key, after, before]) => `${key} ${before ?? "default"} -> ${after ?? "default"}`);
    let words = "";
    if (own && pin.value !== undefined && pin.metric === answer.metric) {
      const change = 100 * (own.value / pin.value - 1);
      words = Math.abs(change) < 0.05 ? `the same ${pin.metric}` :
        `${pin.metric} ${Math.abs(change).toFixed(1)} % ${change < 0 ? "lower" : "higher"} than its ${digits(pin.value)} ${pin.unit}`;
    } else words = `${pin.metric || "it"} there: ${pin.outcome || "no model"}`;
    if (answer.load?.saturation && pin.load?.saturation) {
      const more = 100 * (answer.load.saturation / pin.load.saturation - 1);
      words += Math.abs(more) < 0.5 ? ", the same saturation load" : `, saturation load ${Math.abs(more).toFixed(0)} % ${more < 0 ? "lower" : "higher"}`;
    }
    line.append(`${pin.label}: ${words}. ${changes.length ? "Changed: " + changes.join("; ") + ". " : "Nothing changed yet. "}`);
    remove.type = "button";
    remove.textContent = "Remove";
    remove.setAttribute("aria-label", "Remove " + pin.label);
    remove.addEventListener("click", () => { state.pins.splice(index, 1); refresh(); });
    line.append(remove);
    return line;
  }));
}

$("#pin").addEventListener("click", () => {
  if (!state.answer || state.pins.length >= 6) return;
  const taken = new Set(state.pins.map((pin) => pin.label));
  let n = 1;
  while (taken.has(`pinned ${n}`)) n++;
  const label = `pinned ${n}`;
  state.pins.push({ label, text: state.text });
  refresh();
});

// ---- files ----

const quoted = (word) => /[^\w.\/=-]/.test(word) ? `'${word}'` : word;

// What gives the same on the command line: the file as it was opened, and what was changed since.
function commandLine(answer) {
  const changes = changedKeys(answer.written, state.base ?? answer.written);
  return [answer.load ? "flitcast curve" : "flitcast predict", quoted(state.file),
    ...changes.filter(([, now]) => now !== undefined).map(([key, now]) => "--set " + quoted(`${key}=${now}`))].join(" ");
}

function save(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

$("#save").addEventListener("click", async (event) => {
  const what = event.target.dataset.save;
  if (!what) return;
  $("#save").open = false;
  if (what === "scenario") save("scenario.yaml", "text/yaml", state.text);
  if (what === "svg") save("curve.svg", "image/svg+xml", $("#curve").innerHTML);
  if (what === "csv") {
    const rows = ["method,load,value,half_width"];
    for (const curve of state.answer?.curves || [])
      for (const [x, y] of curve.points) rows.push(`${curve.model},${x},${y},`);
    for (const point of simulatedPoints) rows.push(`simulation,${point.load},${point.value},${point.half_width}`);
    save("curve.csv", "text/csv", rows.join("\n") + "\n");
  }
  if (what === "report") {
    $("#status").textContent = "writing the report";
    try {
      const response = await call("report", { text: state.text, pins: state.pins });
      if (response.headers.get("Content-Type").startsWith("text/html")) save("report.html", "text/html", await response.text());
      else $("#status").textContent = (await response.json()).message;
    } catch (error) { $("#status").textContent = error.message; }
  }
});

$("#copy").addEventListener("click", async () => {
  $("#command").select();
  try { await navigator.clipboard.writeText($("#command").value); $("#status").textContent = "copied"; } catch { document.execCommand("copy"); }
});

async function openFile(file) {
  if (file.size > 900000) { fatal("This file is larger than the page takes."); return; }
  state.file = file.name;
  openText(await file.text());
}
$("#open").addEventListener("click", () => $("#file").click());
// A scenario, and without a server the files that it names.
async function openFiles(files) {
  const scenario = files.find((file) => /[.](ya?ml|cfg)$/.test(file.name)) || files[0];
  if (isLocal) for (const file of files) if (file !== scenario) localFile(file.name, await file.text());
  if (scenario) openFile(scenario);
}
$("#file").addEventListener("change", (event) => openFiles([...event.target.files]));
addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("drop"); });
addEventListener("dragleave", () => document.body.classList.remove("drop"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("drop");
  openFiles([...event.dataTransfer.files]);
});

// ---- opening ----

function openText(text) {
  state.base = null;
  $("#results").classList.add("stale"); // until the forecast of this one is there
  $("#explain .sentences").replaceChildren("Working out the explanation.");
  $("#explain .levers").replaceChildren();
  $("#summary").textContent = "Working out the forecast.";
  $("#gallery").hidden = true;
  $("#work").hidden = false;
  setText(text);
}

// The examples by what they answer: their main metric.
const questions = [["latency", "How does latency grow with load?"], ["duration", "How long does a piece of work take?"],
  ["efficiency", "How much of the time do processors and memories work?"]];

function showGallery() {
  $("#work").hidden = true;
  $("#gallery").hidden = false;
  $("#name").textContent = "";
  $("#gallery div").replaceChildren(...questions.map(([metric, question]) => {
    const section = document.createElement("section"), head = document.createElement("h2"), list = document.createElement("ul");
    head.textContent = question;
    list.append(...state.started.gallery.filter((entry) => entry.metric === metric).map(card));
    section.append(head, list);
    return section;
  }));
}

function card(entry) {
  const line = document.createElement("li"), button = document.createElement("button");
  const name = document.createElement("span"), file = document.createElement("small");
  button.type = "button";
  button.innerHTML = entry.network || "";
  name.textContent = entry.name;
  file.textContent = entry.file;
  button.append(name, file);
  button.addEventListener("click", () => { state.file = entry.file; openText(entry.text); });
  line.append(button);
  return line;
}

$("#home").addEventListener("click", (event) => {
  event.preventDefault();
  history.replaceState(null, "", location.pathname + location.search);
  state.pins = [];
  showGallery();
});

async function start() {
  if (!token && !isLocal) { fatal("Open the address that flitcast serve printed: it holds a token that this one lacks."); return; }
  try {
    state.started = await (await call("start")).json();
  } catch (error) { fatal(error.message); return; }
  $("#version").textContent = state.started.version;
  if (isLocal) { $("#file").multiple = true; $("#file").removeAttribute("accept"); }
  const kept = location.hash.length > 1 ? fromAddress() : null;
  if (kept) {
    state.pins = kept.pins;
    state.file = kept.file || state.file;
    openText(kept.text);
  } else if (state.started.text) {
    state.file = state.started.file || state.file;
    openText(state.started.text);
  } else showGallery();
}
start();
