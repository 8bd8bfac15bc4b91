/** The answer of a request to IndexedDB, or the end of a transaction. */
export function settled(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = request.oncomplete = () => resolve(request.result);
    request.onerror = request.onabort = () => reject(request.error);
  });
}
