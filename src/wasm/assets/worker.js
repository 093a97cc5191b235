// Flitcast in a worker of the page: one call after the other. In: {file, text}, a file that scenarios
// name; {id, name, body}, a call. Out: {id, kind, text}, its answer; {event, data} while one runs.
"use strict";
importScripts("flitcast.js");

const ready = flitcast();

function copied(program, text) {
  const size = program.lengthBytesUTF8(text) + 1, memory = program._malloc(size);
  program.stringToUTF8(text, memory, size);
  return memory;
}

self.onmessage = async ({ data }) => {
  const program = await ready;
  if (data.file) { program.FS.writeFile(data.file, data.text); return; }
  const name = copied(program, data.name), body = copied(program, data.body);
  let answer = 0, said = "!out of memory";
  try {
    answer = program._page_call(name, body);
    if (answer) said = program.UTF8ToString(answer);
  } catch (error) { said = "!" + error.message; }
  for (const memory of [name, body, answer]) program._free(memory);
  self.postMessage({ id: data.id, kind: said[0], text: said.slice(1) });
};
