// Before the first paint, so that a chosen theme does not flash the other one.
try {
  document.documentElement.dataset.theme = localStorage.getItem("mnemic-demo-theme") ?? "system";
} catch {
  document.documentElement.dataset.theme = "system"; // storage is forbidden here
}
