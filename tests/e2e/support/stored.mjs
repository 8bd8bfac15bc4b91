/** Everything that a page has stored in its browser: databases, private files, localStorage and sessionStorage. */

/** The places in which a text is stored, whatever its case; empty when it is nowhere. */
export const placesOf = (page, text) => page.evaluate(async (text) => {
  const wanted = text.toLowerCase();
  const found = new Set();
  const look = (place, value) => {
    if (typeof value === "string" && value.toLowerCase().includes(wanted)) found.add(place);
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) look(place, new TextDecoder().decode(value));
    else if (typeof value === "object" && value !== null) for (const [key, part] of Object.entries(value)) [key, part].forEach((each) => look(place, each));
  };
  const answered = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  for (const { name } of await indexedDB.databases()) {
    const database = await answered(indexedDB.open(name));
    for (const store of database.objectStoreNames) {
      const values = database.transaction(store).objectStore(store);
      look(`database ${name}`, await answered(values.getAll()));
      look(`database ${name}`, await answered(values.getAllKeys()));
    }
    database.close();
  }
  const walk = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === "directory") await walk(handle, `${path}${name}/`);
      else look(`file ${path}${name}`, await (await handle.getFile()).arrayBuffer());
    }
  };
  await walk(await navigator.storage.getDirectory(), "");
  for (const [place, items] of Object.entries({ localStorage, sessionStorage })) look(place, { ...items });
  return [...found];
}, text);
