/** Everything that a page has stored in its browser: databases, private files, localStorage and sessionStorage. */

/**
 * The places in which a text is stored, whatever its case; empty when it is nowhere. The copy is written in the background, and a file
 * that another takes the place of cannot be read any more: then everything is read again.
 */
export const placesOf = (page, text) => page.evaluate(async (text) => {
  const wanted = text.toLowerCase();
  let found;
  const look = (place, value) => {
    if (typeof value === "string" && value.toLowerCase().includes(wanted)) found.add(place);
    else if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) look(place, new TextDecoder().decode(value));
    else if (typeof value === "object" && value !== null) for (const [key, part] of Object.entries(value)) [key, part].forEach((each) => look(place, each));
  };
  const answered = (request) => new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const walk = async (folder, path) => {
    for await (const [name, handle] of folder.entries()) {
      if (handle.kind === "directory") await walk(handle, `${path}${name}/`);
      else look(`file ${path}${name}`, await (await handle.getFile()).arrayBuffer());
    }
  };
  const lookEverywhere = async () => {
    found = new Set();
    for (const { name } of await indexedDB.databases()) {
      const database = await answered(indexedDB.open(name));
      for (const store of database.objectStoreNames) {
        const values = database.transaction(store).objectStore(store);
        const [keys, all] = await Promise.all([answered(values.getAllKeys()), answered(values.getAll())]);
        look(`database ${name}`, keys);
        for (const value of all) look(`database ${name}`, value instanceof Blob ? await value.arrayBuffer() : value);
      }
      database.close();
    }
    await walk(await navigator.storage.getDirectory(), "");
    for (const [place, items] of Object.entries({ localStorage, sessionStorage })) look(place, { ...items });
  };
  for (;;) {
    try {
      await lookEverywhere();
      return [...found];
    } catch (error) {
      if (!["NotFoundError", "NotReadableError"].includes(error.name)) throw error;
    }
  }
}, text);
