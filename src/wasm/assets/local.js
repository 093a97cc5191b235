// The page without a server: its calls are answered by Flitcast itself, compiled to WebAssembly. Forecasts
// and simulations have a worker each, so that one does not wait for the other.
"use strict";

class Helper {
  constructor() {
    this.waiting = new Map();
    this.files = new Map();
    this.calls = 0;
    this.start();
  }

  start() {
    this.worker = new Worker("worker.js");
    this.worker.onerror = (error) => this.end(new Error(error.message || "WebAssembly does not start here"));
    this.worker.onmessage = ({ data }) => {
      if (data.event) { this.onEvent?.(data.event, data.data); return; }
      this.waiting.get(data.id)?.resolve(data);
      this.waiting.delete(data.id);
    };
    for (const [file, text] of this.files) this.worker.postMessage({ file, text });
  }

  end(error) {
    for (const call of this.waiting.values()) call.reject(error);
    this.waiting.clear();
  }

  addFile(file, text) {
    this.files.set(file, text);
    this.worker.postMessage({ file, text });
  }

  // A call that nobody waits for any more is not worked out to its end: its worker is.
  call(name, body, signal, patience) {
    return new Promise((resolve, reject) => {
      const id = ++this.calls, aborted = new DOMException("the page has changed", "AbortError");
      if (signal?.aborted) { reject(aborted); return; }
      const asked = { id, name, body };
      this.waiting.set(id, { resolve, reject, asked });
      this.worker.postMessage(asked);
      signal?.addEventListener("abort", () => {
        reject(aborted);
        setTimeout(() => { if (this.waiting.delete(id)) this.restart(); }, patience);
      });
    });
  }

  restart() {
    this.worker.terminate();
    this.start();
    for (const { asked } of this.waiting.values()) this.worker.postMessage(asked);
  }
}

const helpers = { forecasts: new Helper(), simulations: new Helper() };

function localFile(name, text) {
  for (const helper of Object.values(helpers)) helper.addFile(name, text);
}

async function localCall(name, body, signal) {
  if (name === "simulate") return localStream(body, signal);
  const { kind, text } = await helpers.forecasts.call(name, body, signal, 500);
  if (kind === "!") return new Response(text, { status: 400 });
  return new Response(text, { headers: { "Content-Type": kind === "h" ? "text/html" : "application/json" } });
}

// What the server sends as events.
function localStream(body, signal) {
  const encoder = new TextEncoder(), helper = helpers.simulations;
  const stream = new ReadableStream({
    start(to) {
      helper.onEvent = (name, data) => {
        if (!signal?.aborted) to.enqueue(encoder.encode(`event: ${name}\ndata: ${data}\n\n`));
      };
      helper.call("simulate", body, signal, 0).then(({ kind, text }) => {
        if (kind === "!") to.error(new Error(text)); else to.close();
      }, (error) => to.error(error));
    },
  });
  return new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
}
